import Testing

@testable import Agent

/// Where systemd passes tokens to the agent's unit.
@Suite struct CredentialsDirectoryTests {
    @Test(
        "The directory is that of this process, otherwise that of the agent's unit",
        arguments: [
            (["CREDENTIALS_DIRECTORY": "/c", "XDG_RUNTIME_DIR": "/run/user/1"], "/c"),
            (
                ["CREDENTIALS_DIRECTORY": "c", "XDG_RUNTIME_DIR": "/run/user/1"],
                "/run/user/1/credentials/feedbell.service"
            ),
            (["XDG_RUNTIME_DIR": "/run/user/1"], "/run/user/1/credentials/feedbell.service"),
            (["XDG_RUNTIME_DIR": "/run/user/2"], nil),
            ([:], nil),
        ] as [([String: String], String?)]
    )
    func directory(_ environment: [String: String], is path: String?) {
        let directory = CredentialsDirectory(environment: environment) {
            $0 == "/run/user/1/credentials/feedbell.service"
        }
        #expect(directory.path == path)
    }

    @Test("Names of credentials are file names without a path") func names() {
        for name in ["work", "feedbell.work-1", String(repeating: "x", count: 255)] {
            #expect(CredentialsDirectory.isName(name), "\(name)")
        }
        for name in ["", ".", "..", "a/b", "/a", "a:b", "a b", "ä", "a\n", String(repeating: "x", count: 256)] {
            #expect(!CredentialsDirectory.isName(name), "\(name)")
        }
    }
}
