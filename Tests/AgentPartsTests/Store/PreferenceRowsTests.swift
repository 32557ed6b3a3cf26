import Testing

@testable import Agent

@Suite struct PreferenceRowsTests {
    private let one = StateStore.OutboxRow(number: 1, method: "SetCategory", arguments: ["a \"\n\u{0}ü", "opt_in"])
    private let two = StateStore.OutboxRow(number: 2, method: "SetChannel", arguments: ["email", "all"])

    @Test("Changes of preferences are kept for each owner") func owners() async throws {
        let store = StateStore()
        try await store.replace([], by: [two, one], in: .preferences, of: "anna")
        try await store.replace([], by: [two], in: .preferences, of: "bob")
        try await store.replace([], by: [one], in: .preferences, of: "home")
        #expect(try await store.rows(in: .preferences, of: "anna") == [one, two])
        try await store.replace(
            [1, 7],
            by: [.init(number: 3, method: "SetCategory", arguments: [])],
            in: .preferences,
            of: "anna"
        )
        #expect(try await store.rows(in: .preferences, of: "anna").map(\.number) == [2, 3])
        #expect(try await store.rows(in: .preferences, of: "bob") == [two])
        #expect(try await store.rows(in: .preferences, of: "home") == [one])
        #expect(try await store.rows(in: .preferences, of: "work") == [])
    }
}
