import Agent
import AgentTestSupport
import FoundationEssentials
import Glibc
import Testing

/// Files of accounts that cannot be used, when a configuration is read.
@Suite struct UnusedAccountsTests {
    private static func account(_ name: String, _ id: String) -> String {
        "[accounts.\(name)]\nprovider = \"suprsend\"\npublic_key = \"k\"\ndistinct_id = \"\(id)\"\n"
    }

    /// Runs `body` with a configuration of `work`, and files of the accounts `aunt`, `home` and `zoo`.
    private func withFiles(
        home: String,
        _ body: (_ file: ConfigurationFile, _ home: TemporaryFile) async throws -> Void
    ) async throws {
        try await TemporaryFile.with(Self.account("work", "work")) { file in
            let directory = file.directory + "/accounts.d"
            try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: false)
            for name in ["aunt", "zoo"] { try file.ofAccount(name).write(Self.account(name, name)) }
            try file.ofAccount("home").write(home)
            try await body(ConfigurationFile(path: file.path, services: Services.all), file.ofAccount("home"))
        }
    }

    @Test(
        "An account whose file cannot be used is left out, and named with the reason",
        arguments: [
            ("", "A file in accounts.d has one account"), ("\n# comment\n", "A file in accounts.d has one account"),
            ("no TOML", ""), (account("other", "b"), "A file in accounts.d has one account"),
            (account("home", "b") + "[popups]\n", "A file in accounts.d has one account"),
            (account("home", "b") + "page_sise = 3\n", "\"page_sise\" is not a key of [accounts.home]."),
            ("[accounts.home]\n", "[accounts.home] has no \"provider\"."),
            (account("home", "aunt"), "[accounts.aunt] and [accounts.home] are the same inbox."),
        ]
    )
    func leftOut(text: String, problem: String) async throws {
        try await withFiles(home: text) { file, home in
            let configuration = try await file.read()
            #expect(configuration.accounts.map(\.name) == ["aunt", "zoo", "work"])
            #expect(configuration.unused.map(\.fileName) == ["home"])
            #expect(configuration.unused.first?.error.file == home.path)
            #expect(configuration.unused.first?.error.problem.hasPrefix(problem) == true)
        }
    }

    @Test("So is one whose file cannot be read, that other users can change or that is too large", arguments: 0..<3)
    func unreadable(kind: Int) async throws {
        try await withFiles(home: Self.account("home", "b")) { file, home in
            switch kind {
            case 0: #expect(chmod(home.path, 0o666) == 0)
            case 1: try home.write(String(repeating: "#", count: 2 << 20))
            default:
                try FileManager.default.removeItem(atPath: home.path)
                #expect(mkfifo(home.path, 0o600) == 0)
            }
            let configuration = try await file.read()
            #expect(configuration.accounts.map(\.name) == ["aunt", "zoo", "work"])
            #expect(configuration.unused.map(\.error.file) == [home.path])
            await #expect(throws: ConfigurationError.self) { try await file.files() }
        }
    }

    @Test("What the user's file says about such an account is not used either") func partsInOtherFiles() async throws {
        try await withFiles(home: "") { file, _ in
            let text = Self.account("work", "work") + "[accounts.home]\npage_size = 3\n"
            try TemporaryFile(path: file.path).write(text)
            let configuration = try await file.read()
            #expect(configuration.accounts.map(\.name) == ["aunt", "zoo", "work"])
            #expect(configuration.unused.count == 1)
        }
    }

    @Test("Beside a configuration that is in use, it stays as it is there, at its place") func kept() async throws {
        try await withFiles(home: Self.account("home", "b") + "page_size = 7\n") { file, home in
            let current = try await file.read()
            #expect(current.accounts.map(\.name) == ["aunt", "home", "zoo", "work"])
            try home.write("")
            try TemporaryFile(path: file.path).write(Self.account("work", "other"))
            let next = try await file.read(from: current)
            #expect(next.accounts.map(\.name) == ["aunt", "home", "zoo", "work"])
            #expect(next.accounts[1] == current.accounts[1] && next.accounts[3] != current.accounts[3])
            #expect(next.unused.count == 1)
            // Another account has its inbox meanwhile.
            try TemporaryFile(path: file.path).write(Self.account("work", "b"))
            #expect(try await file.read(from: next).accounts.map(\.name) == ["aunt", "zoo", "work"])
        }
    }

    @Test("A mistake in the user's own file is an error, as it is without such an account") func ownFile() async throws
    {
        try await withFiles(home: "") { file, _ in
            try TemporaryFile(path: file.path).write("nonsense")
            let error = await #expect(throws: ConfigurationError.self) { try await file.read() }
            #expect(error?.file == file.path)
        }
    }
}
