import AgentTestSupport
import FoundationEssentials
import Subprocess
import TestSupport
import Testing

/// The agent on bad networks, each in a network namespace of its own: `packaging/checks/test-network`, which has limits
/// in seconds and therefore runs alone.
@Suite(
    .serialized,
    .timeLimit(.minutes(5)),
    .enabled("This user may not create a network namespace.") { try await NetworkNamespace.isAllowed() }
)
struct BadNetworkLongTests {
    @Test(
        "The agent does on a bad network what its users expect",
        arguments: [
            "given-up:suprsend", "given-up:magicbell", "slow:suprsend", "slow:magicbell", "slower:suprsend",
            "slower:magicbell", "address:suprsend", "address:magicbell", "default-route:suprsend",
            "default-route:magicbell",
            "far:suprsend", "far:magicbell", "lossy:suprsend", "lossy:magicbell", "rested:suprsend", "rested:magicbell",
            "forgetful:magicbell",
        ]
    )
    func scene(name: String) async throws {
        let script = Checkout.root.appending(path: "packaging/checks/test-network").path
        let directory: Environment.Key = "FEEDBELL_TEST_PROGRAMS"
        let outcome = try await Programs.run("env", [script, name], environment: [directory: try Programs.directory])
        print(outcome.output)
        #expect(outcome.status == .exited(0), "\(outcome.output)\(outcome.errors)")
    }
}

private enum NetworkNamespace {
    /// Whether this user may create one (user_namespaces(7)).
    static func isAllowed() async throws -> Bool {
        try await Programs.run("unshare", ["--user", "--map-root-user", "--net", "true"]).status == .exited(0)
    }
}
