import AgentInterface
import Foundation
import Inbox
import TestSupport
import Testing

@testable import Agent

/// `packaging/build/man/feedbell.toml.5.scd` against the code that reads the configuration.
@Suite struct ConfigurationManualTests {
    @Test("feedbell.toml(5) has every key that is read, and no other") func keys() throws {
        let manual = try String(
            contentsOf: Checkout.root.appending(path: "packaging/build/man/feedbell.toml.5.scd"),
            encoding: .utf8
        )
        // Keys stand at the beginning of a line.
        var documented = Set(
            manual.split(separator: "\n").filter { $0.hasPrefix("*") }.flatMap { line in
                line.prefix { $0 != "=" }.matches(of: #/\*([a-z_]+)\*/#).map { String($0.1) }
            }
        )
        documented.formUnion(manual.matches(of: #/\[\[?(?:[a-zA-Z]+\.)*([a-z]+)\]/#).map { String($0.1) })
        documented.subtract(["work", "home"])

        let files = try #require(
            FileManager.default.enumerator(
                at: Checkout.root.appending(path: "Sources"),
                includingPropertiesForKeys: nil
            )
        )
        var read: Set<String> = []
        for case let file as URL in files where file.pathExtension == "swift" {
            let text = try String(contentsOf: file, encoding: .utf8)
            guard text.contains("ConfigurationTable") else { continue }
            let keys = text.matches(of: #/(?:table|root)\.[a-zA-Z]+\("([a-z_]+)"/#)
            read.formUnion(keys.map { String($0.1) })
            // A secret has a key for each kind of source.
            for secret in text.matches(of: #/TokenSource\(\s*&table,(?:\s*named: "([a-z_]+)",)?/#) {
                let name = secret.1.map(String.init) ?? "token"
                read.formUnion(["command", "file", "secret", "credential", "url"].map { "\(name)_\($0)" })
            }
        }
        read.formUnion(InboxFunction.allCases.map(\.rawValue))
        read.subtract(["accounts"])
        #expect(documented.sorted() == read.sorted())
    }

    @Test("feedbell.toml(5) has the usual keys of feedbell inbox") func defaultKeys() throws {
        let manual = try String(
            contentsOf: Checkout.root.appending(path: "packaging/build/man/feedbell.toml.5.scd"),
            encoding: .utf8
        )
        for function in InboxFunction.allCases {
            let usual = try #require(
                try Regex("\\*\(function.rawValue)\\*\n\t.* Usual: (.*)\\.\n", as: (Substring, Substring).self)
                    .firstMatch(in: manual)
            )
            let names = function.defaultKeys.map(\.name).joined(separator: ", ")
            #expect(usual.1.replacing("\\*", with: "*") == names, "\(function)")
            #expect(function.defaultKeys.allSatisfy { TerminalKey(name: $0.name) == $0 })
        }
    }

    @Test("The configuration that an installation copies to the user sets nothing") func installedFile() throws {
        let path = Checkout.root.appending(path: "packaging/installed/config/config.toml")
        let text = try String(contentsOf: path, encoding: .utf8)
        #expect(text.split(separator: "\n").filter { !$0.hasPrefix("#") } == [])
        #expect(text.contains("\n#[popups]\n#timeout = "))
    }

    @Test("The example of feedbell.toml(5), and the rules of the default file without #, are valid") func examples()
        throws
    {
        let packaging = Checkout.root.appending(path: "packaging")
        let manual = try String(contentsOf: packaging.appending(path: "build/man/feedbell.toml.5.scd"), encoding: .utf8)
        let example = try #require(manual.firstMatch(of: #/# EXAMPLE\n\n```\n((?:.|\n)*?)```/#)).1
        #expect(try Configuration(toml: String(example), file: "f").popups.rules.rules.count == 3)

        let text = try String(contentsOf: packaging.appending(path: "installed/config/config.toml"), encoding: .utf8)
        let start = try #require(text.firstRange(of: "#[[rules]]")?.lowerBound)
        let end = try #require(text.firstRange(of: "# Quiet hours")?.lowerBound)
        let rules = text[start..<end].split(separator: "\n").map { $0.trimmingPrefix("#") }.joined(separator: "\n")
        #expect(try Configuration(toml: rules, file: "f").popups.rules.rules.count == 3)
    }

    @Test("feedbell.toml(5) states the version of the state file") func manual() throws {
        let page = Checkout.root.appending(path: "packaging/build/man/feedbell.toml.5.scd")
        let text = try String(contentsOf: page, encoding: .utf8)
        #expect(text.contains("The file has version \(Schema.version) "))
    }
}
