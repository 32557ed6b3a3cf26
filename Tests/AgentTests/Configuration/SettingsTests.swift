import AgentInterface
import FoundationEssentials
import TestSupport
import Testing

@testable import Agent

/// The settings that programs change, as values.
@Suite struct SettingsTests {
    @Test("The settings are the keys of the manual's tables without rules and accounts") func keys() throws {
        let path = Checkout.root.appending(path: "packaging/build/man/feedbell.toml.5.scd").path
        let manual = String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self)
        var keys: [String] = []
        for section in manual.split(separator: "\n# ") {
            guard let table = section.firstMatch(of: #/[Tt]able \*\[([a-z]+)\]\*/#)?.1, table != "locked" else {
                continue
            }
            for line in section.split(separator: "\n") where line.hasPrefix("*") {
                guard let end = line.firstIndex(of: "=") else { continue }
                keys += line[..<end].matches(of: #/\*([a-z_]+)\*/#).map { "\(table).\($0.1)" }
            }
        }
        #expect(Setting.all.map(\.key.description).sorted() == keys.sorted())
    }

    @Test("Every default in a file is as without a file", arguments: Setting.all.map(\.key.description))
    func defaults(name: String) throws {
        let setting = try Setting.named(name)
        guard !setting.standard.isEmpty, setting.key.names[0] != "quiet" else { return }
        var configuration = try Configuration(toml: "\(setting.key) = \(setting.standard)", file: "f")
        configuration.isPopupTextFixed = false
        #expect(configuration == Configuration())
    }

    @Test(
        "A document that is written is read back as it was",
        arguments: [
            "a = 1\n", "[a]\nb = \"x\\n\\u0007\"\nc = [1, 2.5, true, \"y\"]\n",
            "[accounts.\"a b\"]\nprovider = \"p\"\nstores = [{ id = \"x\", tags = [] }]\n", "[a.b]\nc = { d = 1 }\n",
            "x = 1\n\n[a]\nb = 2\n\n[a.c]\nd = 3\n", "[a]\n",
        ]
    )
    func document(text: String) throws {
        #expect(try TOMLNode.parse(text, file: "f").document == text)
    }

    @Test(
        "A value of the command line is of the setting's kind",
        arguments: [
            ("popups.pictures", "off", "false"), ("popups.pictures", "Yes", "true"), ("popups.pictures", "1", nil),
            ("popups.pictures", "maybe", nil), ("popups.group_above", "7", "7"), ("popups.group_above", "few", nil),
            ("inbox.keep", "1.5", nil), ("popups.timeout", "7.5", "7.5"), ("popups.timeout", "never", "\"never\""),
            ("popups.buttons", "read, archive", "[\"read\", \"archive\"]"),
        ] as [(String, String, String?)]
    )
    func value(name: String, text: String, toml: String?) throws {
        let setting = try Setting.named(name)
        if let toml {
            #expect(try setting.node(text).toml == toml)
        } else {
            let kind = name == "popups.pictures" ? "true or false" : "a whole number"
            let sentence = "\"\(name)\" must be \(kind), not \"\(text)\"."
            #expect(throws: AgentRequest.Failure.invalid(sentence)) { try setting.node(text) }
        }
    }

    @Test("An unknown setting is rejected with the nearest one") func unknown() {
        #expect(
            throws: AgentRequest.Failure.invalid(
                "There is no setting \"popups.timeuot\". The nearest one is \"popups.timeout\"."
            )
        ) { try Setting.named("popups.timeuot") }
    }
}
