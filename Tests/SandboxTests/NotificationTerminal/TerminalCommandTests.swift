import Testing

@testable import Sandbox

@Suite struct TerminalCommandTests {
    @Test(
        "Each form of a command is parsed",
        arguments: [
            ("3", TerminalCommand.click(3)), ("click 3", .click(3)), ("3 2", .button(3, 2)),
            ("button 3 2", .button(3, 2)), (" DISMISS  3 ", .dismiss(3)),
            ("list", .list), ("help", .help), ("quit", .quit), ("", nil), ("  \t", nil),
        ] as [(String, TerminalCommand?)]
    )
    func validCommands(_ line: String, _ command: TerminalCommand?) throws {
        #expect(try TerminalCommand.parse(line) == command)
    }

    @Test(
        "An invalid command is rejected with advice",
        arguments: [
            ("dance", "“dance” is not a command. Type “help” for a list."),
            ("click", "Wrong number of arguments. Example: click 3"),
            ("click x", "“x” is not the number of a popup."), ("0", "“0” is not the number of a popup."),
            ("99999999999", "“99999999999” is not the number of a popup."),
            ("3 0", "“0” is not the number of a button; the first is 1."),
            ("3 2 1", "Wrong number of arguments. Example: 3 2"),
            ("button 3", "Wrong number of arguments. Example: button 3 2"),
            ("list 3", "Wrong number of arguments. Example: list"),
            ("-3", "“-3” is not a command. Type “help” for a list."),
            ("\u{1B}[2J", "“[2J” is not a command. Type “help” for a list."),
            ("٣", "“٣” is not a command. Type “help” for a list."),
        ]
    )
    func invalidCommands(_ line: String, _ sentence: String) {
        #expect(throws: TerminalCommand.Misunderstood(sentence: sentence)) { try TerminalCommand.parse(line) }
    }
}
