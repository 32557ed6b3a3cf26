import FoundationEssentials
import TestSupport
import Testing

/// If root ran the tests, they would not show what works for root only: `packaging/test` runs all of them as another
/// user, and counts a skipped test as a failure.
@Suite struct PrivilegesTests {
    @Test(
        "The tests run without capabilities",
        .enabled(if: !isRoot, "root runs the tests; packaging/test runs them as an ordinary user")
    )
    func noCapabilities() throws {
        let status = String(decoding: try Data(contentsOf: URL(filePath: "/proc/self/status")), as: UTF8.self)
        let held = status.split(separator: "\n").filter { line in
            ["CapInh", "CapPrm", "CapEff", "CapAmb"].contains { line.hasPrefix($0) }
                && !line.hasSuffix("0000000000000000")
        }
        #expect(held.isEmpty)
        #expect(!FileManager.default.isReadableFile(atPath: "/etc/shadow"))
    }
}
