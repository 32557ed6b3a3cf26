import AgentTestSupport
import FoundationEssentials
import Glibc
import Testing

@testable import Agent

/// Which files the agent relies on.
@Suite struct FileAccessTests {
    private static let me: UInt32 = 1000

    private func refusal(
        _ mode: UInt32,
        owner: UInt32 = me,
        isSecret: Bool = false,
        directory: UInt32 = 0o755
    ) -> String? {
        FileAccess(
            file: .init(path: "/home/anna/it's", mode: mode, owner: owner),
            directories: [.init(path: "/home/anna", mode: directory, owner: owner)]
        ).refusal(for: Self.me, isSecret: isSecret)
    }

    @Test("A file that only its owner can change is read", arguments: [0o600, 0o400, 0o644, 0o755] as [UInt32])
    func accepted(mode: UInt32) {
        #expect(refusal(mode) == nil)
        #expect(refusal(mode, owner: 0) == nil)
        #expect(refusal(mode & 0o700, isSecret: true) == nil)
        #expect(refusal(mode, directory: 0o1777) == nil)
    }

    @Test(
        "A file that others can change is rejected with its mode and a chmod command",
        arguments: [0o620, 0o602, 0o666] as [UInt32]
    )
    func writable(mode: UInt32) {
        let octal = "0" + String(mode, radix: 8)
        #expect(
            refusal(mode)
                == #"Other users can change it: its mode is \#(octal). "#
                + #"Restrict access: chmod go-w '/home/anna/it'\''s'"#
        )
    }

    @Test("A secret that others can read is rejected", arguments: [0o640, 0o604, 0o660, 0o644] as [UInt32])
    func readable(mode: UInt32) {
        let octal = "0" + String(mode, radix: 8)
        #expect(
            refusal(mode, isSecret: true)
                == #"Other users can read or change it: its mode is \#(octal). "#
                + #"Restrict access: chmod 600 '/home/anna/it'\''s'"#
        )
    }

    @Test("A file of another user is rejected") func foreign() {
        let sentence = refusal(0o600, owner: 1001)
        #expect(sentence?.contains("belongs to the user with the id 1001") == true)
        #expect(sentence?.contains("sudo chown 1000") == true)
    }

    @Test(
        "Where root has no id of its own, its files are those in directories of the system",
        arguments: [
            (["/etc/xdg/feedbell"], true), (["/etc"], true), (["/etc/xdg", "/usr/share/feedbell"], true),
            (["/home/ben"], false), (["/etc/xdg", "/home/ben"], false), (["/etcetera"], false),
            (["/etc/../home/ben"], false), (["etc"], false),
        ]
    )
    func unmappedRoot(directories: [String], isAccepted: Bool) {
        let access = FileAccess(
            file: .init(path: directories[0] + "/config.toml", mode: 0o644, owner: 65534),
            directories: directories.map { .init(path: $0, mode: 0o755, owner: 65534) },
            rootOwner: 65534
        )
        #expect((access.refusal(for: Self.me, isSecret: false) == nil) == isAccepted)
    }

    @Test("A file that every user can replace is rejected", arguments: [0o777, 0o757] as [UInt32])
    func replaceable(directory: UInt32) {
        let octal = "0" + String(directory, radix: 8)
        let sentence = refusal(0o600, directory: directory)
        #expect(sentence?.contains("the mode of /home/anna is \(octal)") == true)
        #expect(sentence?.hasSuffix("chmod o-w /home/anna") == true)
    }

    @Test(
        "A file that its group can change is read if the group has only the user in it",
        arguments: [(0o664, true, true), (0o660, true, true), (0o664, false, false), (0o666, true, false)]
            as [(UInt32, Bool, Bool)]
    )
    func group(mode: UInt32, isPrivate: Bool, isAccepted: Bool) {
        let access = FileAccess(
            file: .init(path: "/home/anna/a", mode: mode, owner: Self.me),
            directories: [.init(path: "/home/anna", mode: 0o775, owner: Self.me)],
            isGroupPrivate: isPrivate
        )
        #expect((access.refusal(for: Self.me, isSecret: false) == nil) == isAccepted)
        #expect(access.refusal(for: Self.me, isSecret: true) != nil)
    }

    @Test(
        "A group is a user's own if it has the user's name, and nobody else is in it",
        arguments: [
            (UserGroup.Group(id: 7, name: "anna", members: []), true),
            (.init(id: 7, name: "anna", members: ["anna"]), true),
            (.init(id: 7, name: "anna", members: ["ben"]), false), (.init(id: 7, name: "users", members: []), false),
            (.init(id: 8, name: "anna", members: []), false),
        ]
    )
    func userGroup(group: UserGroup.Group, isPrivate: Bool) {
        let users: [UserGroup.User] = [.init(name: "anna", group: 7), .init(name: "ben", group: 8)]
        #expect(UserGroup.isPrivate(group, to: "anna", among: users) == isPrivate)
    }

    @Test("The group of this user is judged as the user database says") func ownGroup() throws {
        let user = try #require(getpwuid(geteuid())?.pointee)
        let group = try #require(getgrgid(user.pw_gid)?.pointee)
        let hasName = String(cString: user.pw_name) == String(cString: group.gr_name)
        let isAlone = group.gr_mem.pointee == nil
        #expect(UserGroup.isPrivate(user.pw_gid) == (hasName && isAlone))
        #expect(!UserGroup.isPrivate(0) || geteuid() == 0)
    }

    // MARK: Owners outside of a user namespace

    /// The content of a file that is not this user's, with what is answered about its owner; nil: it is refused.
    private func content(owner: UInt32?) async throws -> String? {
        try await TemporaryFile.with("text") { file in
            var status = stat()
            #expect(stat(file.path, &status) == 0 && chmod(file.path, 0o666) == 0)
            let identity = FileIdentity(status)
            let outside = OutsideOwners { paths, _ in
                #expect(paths == [file.path, file.directory])
                // Restricted meanwhile, so that only its owner is asked for.
                #expect(chmod(file.path, 0o600) == 0)
                return owner.map { [identity: $0] }
            }
            let guarded = GuardedFile(path: file.path, limit: 8, isSecret: false)
            do throws(GuardedFile.Failure) {
                return try await guarded.contents(clock: ContinuousClock(), outside: outside)
            } catch { return nil }
        }
    }

    @Test("Where root's id is hidden, a file is judged by its owner outside") func outside() async throws {
        #expect(try await content(owner: 0) == "text")
        #expect(try await content(owner: geteuid()) == "text")
        #expect(try await content(owner: 12_345) == nil)
        #expect(try await content(owner: nil) == nil)
    }

    @Test("The owners are those that stat prints") func owners() async throws {
        try await TemporaryFile.with("") { file in
            // The command line without the service manager's part.
            let words = OutsideOwners.words([file.path, file.directory])
            let command = try #require(words.firstIndex(of: "--"))
            let ran = try await Programs.run(words[command + 1], Array(words[(command + 2)...]))
            var (one, two) = (stat(), stat())
            #expect(stat(file.path, &one) == 0 && stat(file.directory, &two) == 0)
            let expected = [FileIdentity(one): one.st_uid, FileIdentity(two): two.st_uid]
            #expect(OutsideOwners.parse(ran.output) == expected)
        }
        #expect(OutsideOwners.parse("0 1\n") == nil && OutsideOwners.parse("a 1 2\n") == nil)
    }

    // MARK: Files

    private func read(_ path: String, isSecret: Bool = false) -> Result<String, GuardedFile.Failure> {
        do throws(GuardedFile.Failure) {
            return .success(try GuardedFile(path: path, limit: 8, isSecret: isSecret).read())
        } catch {
            return .failure(error)
        }
    }

    @Test("Access is checked for the target of a link and for its directory") func symbolicLink() async throws {
        try await TemporaryFile.with("text") { file in
            try await TemporaryFile.with("", named: "other") { other in
                let link = other.directory + "/link"
                try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: file.path)
                #expect(read(link, isSecret: true) == .success("text"))
                #expect(chmod(file.directory, 0o777) == 0)
                guard case .failure(.refused(let sentence)) = read(link) else {
                    Issue.record("it was read")
                    return
                }
                #expect(sentence.contains(file.directory))
                #expect(chmod(file.directory, 0o700) == 0 && chmod(other.directory, 0o777) == 0)
                guard case .failure(.refused) = read(link) else {
                    Issue.record("it was read")
                    return
                }
            }
        }
    }

    @Test("Unreadable and missing files are distinct errors") func unreadableFiles() async throws {
        try await TemporaryFile.with("a long text") { file in
            #expect(read(file.path) == .failure(.noText))
            #expect(read(file.path + "x") == .failure(.missing))
            #expect(read(file.directory) == .failure(.irregular))
            try file.write("text")
            #expect(read(file.path) == .success("text"))
        }
    }

    @Test("A token file that others can read is rejected", .timeLimit(.minutes(5)))
    func readableTokenFile() async throws {
        try await TemporaryFile.with("token\n", named: "token") { file in
            let reader = TokenReader(source: .file(file.path), clock: ContinuousClock(), keyring: Keyring(nil))
            let token = try await reader.read()
            #expect(token == "token")
            #expect(chmod(file.path, 0o640) == 0)
            let failure = await #expect(throws: TokenReader.Failure.self) { try await reader.read() }
            #expect(
                failure?.description
                    == "\"\(file.path)\" (token_file) is not used. Other users can read or change it: "
                    + "its mode is 0640. Restrict access: chmod 600 \(file.path)"
            )
        }
    }
}
