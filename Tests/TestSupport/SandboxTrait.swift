import FoundationEssentials
package import Sandbox
package import Testing

/// Gives each test a sandbox of its own: `@Suite(.sandbox(users: ["anna"]))`, then ``Sandbox/current``.
///
/// A test's own trait replaces that of its suite. A test that starts and stops sandboxes uses `Sandbox.with`.
package struct SandboxTrait: SuiteTrait, TestTrait, TestScoping {
    @TaskLocal fileprivate static var current: Sandbox?

    let options: SandboxOptions
    let wall: @Sendable () -> Int64
    let expectsNoViolations: Bool

    package var isRecursive: Bool { true }

    /// The computer's time in milliseconds since the Unix epoch.
    package static func realTime() -> Int64 { Int64(Date().timeIntervalSince1970 * 1000) }

    package func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing body: @concurrent @Sendable () async throws -> Void
    ) async throws {
        guard testCase != nil, Self.current == nil else { return try await body() }
        let trait = test.traits.compactMap { $0 as? SandboxTrait }.last ?? self
        try await HungSuites.unlessHung(test) {
            try await Sandbox.with(trait.options, wall: trait.wall) { sandbox in
                try await Self.$current.withValue(sandbox) { try await body() }
                if trait.expectsNoViolations {
                    let violations = await sandbox.violations
                    #expect(violations.isEmpty)
                }
            }
        }
    }
}

extension Trait where Self == SandboxTrait {
    /// A sandbox for each test.
    ///
    /// - Parameters:
    ///   - wall: The real time in milliseconds since the Unix epoch.
    ///   - expectsNoViolations: Whether the test fails when a client broke a rule of the API.
    package static func sandbox(
        _ options: SandboxOptions,
        wall: @escaping @Sendable () -> Int64 = SandboxTrait.realTime,
        expectsNoViolations: Bool = true
    ) -> Self {
        SandboxTrait(options: options, wall: wall, expectsNoViolations: expectsNoViolations)
    }

    /// A sandbox for each test, with these users and the default options.
    package static func sandbox(users: [String] = ["user-1"], expectsNoViolations: Bool = true) -> Self {
        .sandbox(SandboxOptions(users: users), expectsNoViolations: expectsNoViolations)
    }
}

extension Sandbox {
    /// The sandbox of the running test, which has the trait `.sandbox(…)`.
    package static var current: Sandbox {
        guard let sandbox = SandboxTrait.current else { preconditionFailure("The test lacks the trait .sandbox(…).") }
        return sandbox
    }
}
