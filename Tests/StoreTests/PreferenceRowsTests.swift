import Store
import Testing

@Suite struct PreferenceRowsTests {
    private let one = StateStore.PreferenceRow(number: 1, method: "SetCategory", arguments: ["a \"\n\u{0}ü", "opt_in"])
    private let two = StateStore.PreferenceRow(number: 2, method: "SetChannel", arguments: ["email", "all"])

    @Test("Changes of preferences are kept for each owner") func owners() async throws {
        let store = StateStore()
        try await store.replacePreferences([], by: [two, one], of: "anna")
        try await store.replacePreferences([], by: [two], of: "bob")
        try await store.replacePreferences([], by: [one], of: "home")
        #expect(try await store.preferenceOutbox(of: "anna") == [one, two])
        try await store.replacePreferences(
            [1, 7],
            by: [.init(number: 3, method: "SetCategory", arguments: [])],
            of: "anna"
        )
        #expect(try await store.preferenceOutbox(of: "anna").map(\.number) == [2, 3])
        #expect(try await store.preferenceOutbox(of: "bob") == [two])
        #expect(try await store.preferenceOutbox(of: "home") == [one])
        #expect(try await store.preferenceOutbox(of: "work") == [])
    }
}
