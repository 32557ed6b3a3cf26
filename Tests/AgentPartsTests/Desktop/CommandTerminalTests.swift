import Testing

@testable import Agent

/// Which terminal is opened, and what runs in it.
@Suite struct CommandTerminalTests {
    @Test(
        "The standard comes first, then the user's choice, then what is installed",
        arguments: [
            (["xdg-terminal-exec", "xterm"], "xterm", ["xdg-terminal-exec"]),
            (["x-terminal-emulator", "foot"], "foot", ["foot"]),
            (["konsole", "xterm"], nil, ["konsole", "-e"]),
            (["/opt/gnome-terminal", "xterm"], "/opt/gnome-terminal", ["/opt/gnome-terminal", "--"]),
            (["st", "xterm"], "st", ["st", "-e"]),
            (["xterm"], "not-installed", ["xterm", "-e"]),
            ([], "xterm", nil),
        ] as [([String], String?, [String]?)]
    )
    func choice(installed: [String], chosen: String?, words: [String]?) {
        #expect(CommandTerminal.terminal(chosen: chosen, isInstalled: installed.contains) == words)
    }

    @Test("The account's name and the prompt are arguments, not a part of the script") func words() {
        let words = CommandTerminal.words(.inbox(account: "a'; $(b)"), program: "/usr/bin/feedbell", prompt: "$(c)")
        #expect(words.suffix(4) == ["$(c)", "/usr/bin/feedbell", "inbox", "--account=a'; $(b)"])
        #expect(words[2].contains("||") && !words[2].contains("b)") && !words[2].contains("(c"))
        let doctor = CommandTerminal.words(.doctor, program: "feedbell", prompt: "Enter")
        #expect(doctor.suffix(3) == ["Enter", "feedbell", "doctor"])
        let token = CommandTerminal.words(.token(account: "-a"), program: "feedbell", prompt: "Enter")
        #expect(token.suffix(5) == ["feedbell", "accounts", "token", "--", "-a"])
    }
}
