import FoundationEssentials
package import Inbox
import ProgramKit

/// Reads an account's token from its configured source, each time again.
package struct TokenReader: Sendable {
    /// Why there is no token. Never contains what a command printed.
    package struct Failure: Error, Equatable, CustomStringConvertible {
        package var sentence: String
        /// Advice to the user, if the reader has any.
        package var remedy: String?
        /// The command's failure, if it was one.
        var command: TokenCommandFailure?
        /// Whether its source exists and has no token, or does not exist.
        var isMissing = false
        /// Why there is none where Feedbell stores it.
        package var missing: ServiceFailure.MissingToken?
        /// Whether the token may be there later, without an act of the user.
        var isTransient = false
        /// The delay that the source asks for.
        var retryAfter: Duration?

        package var description: String { sentence + (remedy.map { " \($0)" } ?? "") }
    }

    /// The default timeout of a command, which may prompt for a passphrase.
    package static let defaultDeadline = Duration.seconds(120)
    /// The maximum size of a token, in bytes.
    package static let limit = 64 << 10

    let source: TokenSource
    /// The beginning of the source's key, for messages.
    let name: String
    let clock: any Clock<Duration>
    /// Where the tokens of ``TokenSource/secret(_:)`` are.
    let keyring: Keyring
    /// Where the credentials of ``TokenSource/credential(_:)`` are; nil: the present directory at each read.
    var credentials: CredentialsDirectory?
    /// Where the command of ``TokenSource/command(_:)`` runs.
    var place = CommandLocation.current
    /// How long the command may take.
    var deadline = TokenReader.defaultDeadline
    /// The sign-in for ``TokenSource/backend(_:)``; nil: only the agent has it, and this program is another one.
    var signIn: SignInSession?
    /// The user of the account, for sentences; empty: unknown.
    var user = ""

    package init(
        source: TokenSource,
        named name: String = "token",
        clock: any Clock<Duration>,
        keyring: Keyring,
        credentials: CredentialsDirectory? = nil,
        place: CommandLocation = .current,
        deadline: Duration = TokenReader.defaultDeadline
    ) {
        self.source = source
        self.name = name
        self.clock = clock
        self.keyring = keyring
        self.credentials = credentials
        self.place = place
        self.deadline = deadline
    }

    /// The token: the first line, without white space around it.
    package func read() async throws(Failure) -> String {
        do throws(Failure) {
            return try await token()
        } catch {
            guard error.isMissing, let mark = SignOutMark(source) else { throw error }
            var failure = mark.exists ? Failure(sentence: "Signed out.") : error
            failure.missing = mark.exists ? .signedOut : .notSignedIn
            throw failure
        }
    }

    private func token() async throws(Failure) -> String {
        let (text, origin) =
            switch source {
            case .command(let command): (try await output(of: command), "\"\(command[0])\" (\(name)_command)")
            case .file(let path):
                (try await Self.contents(of: path, named: name, clock: clock), "\"\(path)\" (\(name)_file)")
            case .secret(let attributes): (try await secret(attributes), "The Secret Service (\(name)_secret)")
            case .credential(let credential):
                (try await contents(ofCredential: credential), "The credential \"\(credential)\" (\(name)_credential)")
            case .backend(let backend): (try await token(of: backend), "\(backend.host) (\(name)_url)")
            }
        switch TokenText(text) {
        case .token(let token): return token
        case .empty: throw Failure(sentence: "\(origin) returned no token.")
        case .garbled: throw Failure(sentence: "\(origin) returned an invalid token on its first line.")
        }
    }

    private func secret(_ attributes: [String: String]) async throws(Failure) -> String {
        do {
            return try await keyring.secret(attributes)
        } catch {
            var failure = Failure(sentence: "\(error)", remedy: error.remedy(of: attributes))
            failure.isMissing = error == .noItem
            failure.isTransient = error == .noService && keyring.isStarting
            throw failure
        }
    }

    /// The contents of a token's file, if other users can neither read nor replace it.
    package static func contents(
        of path: String,
        named name: String = "token",
        clock: any Clock<Duration> = ContinuousClock()
    ) async throws(Failure) -> String {
        let command = "\(name)_command"
        let name = "\"\(path)\" (\(name)_file)"
        do throws(GuardedFile.Failure) {
            return try await GuardedFile(path: path, limit: limit, isSecret: true).contents(clock: clock)
        } catch {
            switch error {
            case .missing, .unreadable:
                var failure = Failure(sentence: "\(name) cannot be read; check that it exists and is readable.")
                failure.isMissing = error == .missing
                throw failure
            case .noText: throw Failure(sentence: "\(name) is too large or not text.")
            case .irregular:
                let reason = "it is no regular file, but a directory, a pipe or a device."
                throw Failure(sentence: "\(name) is not used: \(reason)", remedy: "Name a file, or use \(command).")
            case .unresponsive:
                let reason = "its file system does not answer."
                throw Failure(sentence: "\(name) cannot be read: \(reason)", remedy: "Check its mount and the network.")
            case .refused(let reason): throw Failure(sentence: "\(name) is not used. \(reason)")
            }
        }
    }

    private func contents(ofCredential credential: String) async throws(Failure) -> String {
        let subject = "The credential \"\(credential)\" (\(name)_credential)"
        let remedy =
            "Add LoadCredential=\(credential):FILE to [Service] with \"systemctl --user edit feedbell\", then run: "
            + "systemctl --user restart feedbell"
        guard let directory = (credentials ?? .current).path else {
            let reason = "systemd passes credentials only to a unit, and the agent's unit has none."
            throw Failure(sentence: "\(subject) cannot be read: \(reason)", remedy: remedy)
        }
        do throws(GuardedFile.Failure) {
            return try await GuardedFile(path: "\(directory)/\(credential)", limit: Self.limit, isSecret: true)
                .contents(clock: clock)
        } catch {
            switch error {
            case .missing: throw Failure(sentence: "\(subject) is not one of the agent's unit.", remedy: remedy)
            case .unreadable: throw Failure(sentence: "\(subject) cannot be read.", remedy: remedy)
            case .noText: throw Failure(sentence: "\(subject) is too large or not text.")
            case .irregular: throw Failure(sentence: "\(subject) is no regular file.", remedy: remedy)
            case .unresponsive: throw Failure(sentence: "\(subject) cannot be read: its file system does not answer.")
            case .refused(let reason): throw Failure(sentence: "\(subject) is not used. \(reason)")
            }
        }
    }

    private func output(of command: [String]) async throws(Failure) -> String {
        let result: Result<String, TokenCommandFailure> = await withTaskGroup { group in
            group.addTask { await run(command) }
            group.addTask { [clock, deadline] in
                try? await clock.sleep(for: deadline)
                return .failure(.tooSlow(deadline))
            }
            defer { group.cancelAll() }
            return await group.next() ?? .failure(.tooSlow(deadline))
        }
        do throws(TokenCommandFailure) { return try result.get() } catch {
            throw Failure(
                sentence: error.sentence(of: command[0], named: name, place),
                remedy: error.remedy(of: command[0], place),
                command: error
            )
        }
    }

    private func run(_ command: [String]) async -> Result<String, TokenCommandFailure> {
        let unit = CommandLocation.newUnit()
        var words = place.words(command, deadline: deadline, unit: unit)
        if words[0].contains("/") {
            guard FileManager.default.isExecutableFile(atPath: words[0]) else { return .failure(.absent) }
            // By the shell, which also runs a script without "#!", as a terminal does.
            words = ["sh", "-c", #"exec "$0" "$@""#] + words
        }
        do {
            var program = ChildProgram(words, keepsOutput: true, limit: Self.limit)
            program.cleanup = place.cleanup(unit: unit)
            let end = try await program.run()
            if let failure = TokenCommandFailure(end.status, place) { return .failure(failure) }
            return .success(String(decoding: end.output, as: UTF8.self))
        } catch {
            return .failure(TokenCommandFailure(error))
        }
    }
}
