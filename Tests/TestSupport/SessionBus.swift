import DBus
import FoundationEssentials
import Subprocess
package import Testing

/// A message bus of the test's own. Nothing of the host can be reached or started through it.
package enum SessionBus {
    /// The address of the bus that belongs to this test (see ``SessionBusTrait``).
    @TaskLocal package static var address = ""
    /// The address of the bus that the test has for the system's (see ``withSystemBus(_:)``).
    @TaskLocal package static var systemAddress = "unix:path=/nonexistent/bus"
    /// The daemon of that one.
    @TaskLocal package static var systemProcessID: Int32 = 0
    /// Its daemon, for tests that stop it or end it.
    @TaskLocal package static var processID: Int32 = 0

    /// Runs `body` beside a new bus, which ends with it.
    /// - Parameter serviceFiles: activation files by name, `org.example.Thing.service`. None: nothing can be activated.
    package static func running<Result: Sendable>(
        serviceFiles: [String: String] = [:],
        _ body: () async throws -> Result
    ) async throws -> Result {
        let directory = FileManager.default.temporaryDirectory.appending(path: "feedbell-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        for (name, text) in serviceFiles {
            try Data(text.utf8).write(to: directory.appending(path: name))
        }
        let configuration = directory.appending(path: "bus.conf")
        try Data(Self.configuration(services: serviceFiles.isEmpty ? nil : directory.path).utf8).write(
            to: configuration
        )
        let outcome = try await Subprocess.run(
            .name("dbus-daemon"),
            arguments: ["--config-file=\(configuration.path)", "--nofork", "--nopidfile", "--print-address=1"],
            input: .none,
            output: .sequence,
            error: .discarded
        ) { daemon in
            // Also ends a daemon that a test has stopped. The socket is abstract: no file is left.
            defer { try? daemon.send(signal: .kill) }
            var lines = daemon.standardOutput.strings().makeAsyncIterator()
            guard let address = try await lines.next() else { throw StartFailure() }
            return try await $address.withValue(address) {
                try await $processID.withValue(Int32(daemon.processIdentifier.value)) { try await body() }
            }
        }
        return outcome.closureResult
    }

    /// Runs `body` beside a second bus, which plays the system's.
    package static func withSystemBus<Result: Sendable>(_ body: () async throws -> Result) async throws -> Result {
        let (session, sessionProcess) = (address, processID)
        return try await running {
            let (system, systemProcess) = (address, processID)
            return try await $systemAddress.withValue(system) {
                try await $systemProcessID.withValue(systemProcess) {
                    try await $address.withValue(session) {
                        try await $processID.withValue(sessionProcess) { try await body() }
                    }
                }
            }
        }
    }

    private struct StartFailure: Error {}

    /// The limits are those of a desktop's session bus, which are much larger than the daemon's own.
    private static func configuration(services: String?) -> String {
        """
        <busconfig>
          <type>session</type>
          <listen>unix:abstract=/feedbell-\(UUID().uuidString)</listen>
          <auth>EXTERNAL</auth>
          \(services.map { "<servicedir>\($0)</servicedir>" } ?? "")
          <policy context="default">
            <allow send_destination="*" eavesdrop="true"/>
            <allow eavesdrop="true"/>
            <allow own="*"/>
          </policy>
          <limit name="max_incoming_bytes">1000000000</limit>
          <limit name="max_outgoing_bytes">1000000000</limit>
          <limit name="max_message_size">1000000000</limit>
          <limit name="max_replies_per_connection">50000</limit>
          <limit name="max_match_rules_per_connection">50000</limit>
        </busconfig>
        """
    }
}

/// Gives each test a message bus of its own: `@Suite(.sessionBus)`, then ``SessionBus/address``.
package struct SessionBusTrait: SuiteTrait, TestTrait, TestScoping {
    package var isRecursive: Bool { true }

    package func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing body: @concurrent @Sendable () async throws -> Void
    ) async throws {
        guard testCase != nil else { return try await body() }
        try await HungSuites.unlessHung(test) { try await SessionBus.running { try await body() } }
    }
}

extension Trait where Self == SessionBusTrait {
    /// A message bus for each test.
    package static var sessionBus: Self { SessionBusTrait() }
}
