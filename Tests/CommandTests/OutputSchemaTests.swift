import AgentInterface
import DBus
import Foundation
import Sandbox
import TestSupport
import Testing

@testable import feedbell

/// `dbus/output.schema.json` against the code that prints JSON.
@Suite struct OutputSchemaTests {
    private let schema: OutputSchema

    init() throws { schema = try OutputSchema() }

    /// The members of a dictionary of the interface, with their types in JSON.
    private func members<Keys: RecordKeys>(_ keys: Keys.Type) -> [String: String] {
        let types = ["s": "string", "b": "boolean", "x": "integer", "as": "array", "aa{sv}": "array"]
        return Dictionary(Keys.descriptions.map { ($0.name, types[$0.signature.text] ?? $0.signature.text) }) { $1 }
    }

    private func types(_ definition: String) -> [String: String] {
        schema.members(of: definition).compactMapValues { $0["type"]?.string }
    }

    @Test("Notifications and their buttons have the members of the schema") func notifications() throws {
        #expect(types("notification") == members(NotificationKeys.self))
        #expect(types("action") == members(NotificationActionKeys.self))
    }

    @Test("The status has the members of the schema, and its number") func status() async throws {
        var account = StatusReport.Account(name: "work", provider: "suprsend", user: "anna", state: "online")
        let unknown = StatusReport(version: "1", accounts: [account]).json.text
        account.unread = 3
        account.signIn = SignInRecord()
        let known = StatusReport(version: "1", heldBack: ["quiet"], accounts: [account]).json.text
        for text in [unknown, known] { #expect(try await OutputSchema.problem(of: text, as: "status").isEmpty) }
        let status = try #require(JSON(parsing: known))
        #expect(status["format"] == .integer(Int64(StatusReport.jsonFormat)))
        let first = try #require(status["accounts"]?.array?.first)
        func names(_ value: JSON?) -> Set<String> { Set((value?.object ?? [:]).keys) }
        #expect(names(status) == Set(schema.members(of: "status").keys))
        #expect(names(first) == Set(schema.members(of: "account").keys))
        #expect(names(first["sign_in"]) == Set(schema.members(of: "sign_in").keys))
    }

    @Test("What differs from the schema is reported") func problems() async throws {
        let text = StatusReport(version: "1").json.text
        let changes = [
            ("\"format\":1", "\"format\":2", "data.format must be same as const definition: 1"),
            ("\"paused\":false", "\"paused\":0", "data.paused must be boolean"),
            ("held_back", "held", "data must contain"),
        ]
        for (old, new, sentence) in changes {
            let problem = try await OutputSchema.problem(of: text.replacing(old, with: new), as: "status")
            #expect(problem.hasPrefix(sentence), "\(problem)")
        }
    }
}
