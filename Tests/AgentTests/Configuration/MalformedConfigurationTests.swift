import Agent
import AgentInterface
import AgentTestSupport
import DBus
import TestSupport
import Testing

/// A configuration that is not TOML is an error with its line, whatever is wrong with it.
@Suite(.sessionBus) struct MalformedConfigurationTests {
    /// Malformed texts, and the line of the mistake.
    static let texts: [(text: String, line: Int)] = [
        // These end toml++ with a failed assertion when it is built without exceptions.
        ("\n[\n", 2), ("[é]", 1), ("[@x]", 1), ("[=]", 1), ("[(]", 1), ("[[\n", 1), ("[.a]", 1), ("[\n[\n[", 1),
        ("a = 1\n[b]\nc = 2\n[=]\nd = 3\n", 4), ("[)]", 1), ("[[é]]", 1), ("[[ [", 1), ("[*]", 1), ("[ # ]", 1),
        ("[a]\n[,]", 2), ("[{}]", 1),
        // Tables
        ("[", 1), ("[[", 1), ("[]", 1), ("[[]]", 1), ("[ [a]]", 1), ("[a", 1), ("[a]]", 1), ("[[a]", 1), ("[a.]", 1),
        ("[a..b]", 1), ("[a]b = 1", 1), ("[\"", 1), ("['", 1), ("[\"a\nb\"]", 1), ("[a]\n[a]", 2), ("a = 1\n[a]", 2),
        ("[[a]]\n[a]", 2), ("a = {}\n[a.b]", 2), ("a = [1]\n[[a]]", 2),
        // Keys
        ("a", 1), ("a =", 1), ("a =\n", 1), ("=", 1), ("= 1", 1), ("é = 1", 1), ("a.", 1), (".", 1), ("\"", 1),
        ("'a", 1), ("\"a\nb\" = 1", 1), ("a\u{0} = 1", 1), ("a = 1\na = 2", 2), ("a = 1\na.b = 2", 2), ("a\r", 1),
        ("\u{FEFF}[", 1), ("{", 1), ("}", 1), ("]", 1), (",", 1), ("\u{1}", 1), ("# \u{1}", 1), ("[a]#\u{7F}", 1),
        // Values
        ("a = b", 1), ("a = 1 2", 1), ("a = 1 b = 2", 1), ("a = [", 1), ("a = [1", 1), ("a = [1,,2]", 1),
        ("a = [\n[\n", 2), ("a = {", 1), ("a = {b", 1), ("a = {b=", 1), ("a = {b = 1,}", 1), ("a = {[", 1),
        ("a = [{]", 1), ("a = \"", 1), ("a = '", 1), ("a = \"\"\"\n", 1), ("a = '''", 1), ("a = \"\\x\"", 1),
        ("a = \"\\u12\"", 1), ("a = \"\\uD800\"", 1), ("a = \"\u{1}\"", 1), ("a = 01", 1), ("a = 1__0", 1),
        ("a = 0x", 1), ("a = 0xg", 1), ("a = 9223372036854775808", 1), ("a = 1e", 1), ("a = 1.", 1), ("a = .5", 1),
        ("a = +", 1), ("a = --1", 1), ("a = tru", 1), ("a = True", 1), ("a = inf1", 1), ("a = 2020-13-01", 1),
        ("a = 25:00:00", 1), ("a = 1979-05-27T", 1),
        // Deep nesting must not overflow the stack.
        ("\n" + String(repeating: "a.", count: 200_000) + "a = 1", 2),
        ("[" + String(repeating: "a.", count: 200_000) + "a]", 1),
        ("a = " + String(repeating: "[", count: 200_000), 1),
        ("a = " + String(repeating: "{a = ", count: 100_000), 1),
        ("a = \"\"\"\"quoted\"\"\"\"\"\n" + String(repeating: "a.", count: 40) + "a = 1", 2),
    ]

    @Test("Every malformed configuration is an error with file, line and a sentence", arguments: texts)
    func isAnError(_ text: (text: String, line: Int)) throws {
        let error = try #require(throws: ConfigurationError.self) { try Configuration(toml: text.text, file: "f") }
        #expect(error.line == text.line, "\(error)")
        #expect(error.problem.hasPrefix("This is not valid TOML: ") && error.problem.hasSuffix("."), "\(error)")
        #expect(error.problem.utf8.count > 30)
    }

    @Test("Dots in strings and comments do not count as nesting")
    func dotsInTexts() throws {
        let dots = String(repeating: ".", count: 100)
        let text = """
            a = "\(dots)\\"\(dots)" # "\(dots)
            b = '\(dots)'
            c = ""\"
            \(dots)\\""\(dots)""\""
            d = '''
            '\(dots)''\(dots)'''''
            e = [1.5, 2.5, {f.g = [[[["\(dots)"]]]]}]
            """
        let error = try #require(throws: ConfigurationError.self) { try Configuration(toml: text, file: "f") }
        #expect(error.description.hasPrefix("f:1: \"a\" is not a key of the configuration."))
    }

    @Test(
        "An agent that reloads a malformed file answers with the error and keeps its configuration",
        .inProcessAgent()
    )
    func agentKeepsItsConfiguration() async throws {
        let agent = InProcessAgent.current
        for (text, line) in Self.texts where text.utf8.count < 100 {
            try agent.configuration.replace(text)
            let error = await #expect(throws: DBusError.self) { try await agent.root.call(AgentRoot.reload) }
            #expect(error?.name == .invalidArgs)
            #expect(error?.message.contains("config.toml:\(line): This is not valid TOML: ") == true)
        }
        #expect(try await agent.root.get(AgentRoot.accounts).count == 1)
    }
}
