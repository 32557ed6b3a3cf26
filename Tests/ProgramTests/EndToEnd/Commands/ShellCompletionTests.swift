import AgentInterface
import AgentTestSupport
import DBus
import FoundationEssentials
import Sandbox
import Subprocess
import Synchronization
import TestSupport
import Testing

/// Completions in the real shells.
@Suite(.sessionBus, .timeLimit(.minutes(5))) struct ShellCompletionTests {
    private static let tabs =
        "[[accounts.work.stores]]\nid = \"all\"\nlabel = \"All\"\n"
        + "[[accounts.work.stores]]\nid = \"old\"\narchived = true\n"

    enum Shell: String, CaseIterable {
        case bash
        case zsh
        case fish

        /// A script that prints what is offered for the line "$2", by the completion script in the file "$1".
        var script: String {
            switch self {
            case .bash:
                """
                source "$1"
                COMP_LINE=$2 COMP_POINT=${#2}
                read -ra COMP_WORDS <<<"$2"
                case $2 in *' ') COMP_WORDS+=('') ;; esac
                COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
                _feedbell feedbell "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
                printf '%s\\n' "${COMPREPLY[@]}"
                """
            case .fish:
                // fish reports the cursor position, which the script reads, only with a line editor.
                """
                printf '%s\\n' "source $1; complete -C '$2' >$1.offers; exit" |
                    script -qec 'fish --no-config -i' /dev/null >/dev/null
                cat "$1.offers"
                """
            case .zsh:
                // The completion ends in `compadd`, which receives the matches and their descriptions.
                #"""
                zmodload zsh/zpty
                offered=$1:h/offered
                : >$offered
                zpty shell zsh -f -i
                zpty -w shell "PROMPT=; autoload -Uz compinit; compinit -u -D; setopt no_list_beep; source ${(q)1}"
                zpty -w shell "compadd() {
                    local -a words args=(\"\$@\"); local -i i
                    if (( ! \${args[(I)-[OA]]} )); then
                        i=\${args[(I)-d]}
                        (( i )) && print -rl -- \${(P)args[i + 1]} >>${(q)offered}
                        while i=\${args[(I)-[Dd]]}; (( i )); do args[i,i+1]=(); done
                        builtin compadd -O words \"\${args[@]}\" && print -rl -- \$words >>${(q)offered}
                    fi
                    builtin compadd \"\$@\"
                }"
                zpty -w shell "finished() { print FINI''SHED }; zle -N finished; bindkey '^I' complete-word '^X' \#
                finished; print REA''DY"
                zpty -r shell seen '*READY*'
                zpty -w -n shell "$2"$'\t\x18'
                zpty -r shell seen '*FINISHED*'
                zpty -d shell
                sed 's/  *-- /\t/' $offered | sort -u
                """#
            }
        }

        /// The program that runs the script, with its arguments.
        var interpreter: [String] {
            switch self {
            case .bash: ["bash", "--norc", "--noprofile"]
            case .zsh: ["zsh", "-f"]
            case .fish: ["sh"]
            }
        }
    }

    /// The generated scripts: a test needs its script for each line.
    private static let generated = Mutex<[Shell: String]>([:])

    private func completionScript(_ shell: Shell) async throws -> String {
        if let script = Self.generated.withLock({ $0[shell] }) { return script }
        let script = try await Programs.output("feedbell", ["--generate-completion-script", shell.rawValue])
        Self.generated.withLock { $0[shell] = script }
        return script
    }

    /// The words offered at the end of `line`, and what is said about each.
    private func offers(_ shell: Shell, _ line: String) async throws -> [String: String] {
        try await TemporaryFile.with(try await completionScript(shell), named: "_feedbell") { completion in
            try await TemporaryFile.with(shell.script, named: "offers") { script in
                let arguments = shell.interpreter.dropFirst() + [script.path, completion.path, line]
                let home: [Environment.Key: String?] = [
                    "HOME": script.directory, "XDG_CONFIG_HOME": script.directory, "XDG_DATA_HOME": script.directory,
                    "TERM": "xterm", "LC_ALL": "C.UTF-8",
                ]
                let outcome = try await Programs.run(shell.interpreter[0], Array(arguments), environment: home)
                #expect(outcome.status == .exited(0), "\(outcome.errors)")
                #expect(outcome.errors == "", "\(shell)")
                var offers: [String: String] = [:]
                for line in outcome.output.split(separator: "\n") {
                    let parts = line.split(separator: "\t", maxSplits: 1).map(String.init)
                    offers[parts[0], default: ""] += parts.dropFirst().joined()
                }
                return offers
            }
        }
    }

    /// Nothing is offered, too, when the agent is not quick, as on a busy machine: then the key is pressed again.
    private func words(_ shell: Shell, _ line: String, mayBeNone: Bool = false) async throws -> [String] {
        var words: [String] = []
        repeat { words = try await offers(shell, line).keys.sorted() } while words.isEmpty && !mayBeNone
        return words
    }

    @Test(
        "Completions offer the data of the running agent",
        .builtAgent(configuration: Self.tabs),
        arguments: Shell.allCases
    ) func runningAgent(shell: Shell)
        async throws
    {
        let (sandbox, agent) = (Sandbox.current, BuiltAgent.current)
        let first = try await sandbox.publish([
            "header": "One: $(touch /tmp/x) `id`", "n_category": "promo", "tags": ["tab1", "$(touch /tmp/x)"],
        ])
        let second = try await sandbox.publish(["header": "Two", "n_category": "$(touch /tmp/x)"])
        _ = try await (agent.popup(), agent.popup())
        try await agent.waitForList(count: 2)

        #expect(try await words(shell, "feedbell read ") == [first, second].sorted())
        if shell != .bash {
            var offered: [String: String] = [:]
            while offered.isEmpty { offered = try await offers(shell, "feedbell read ") }
            #expect(offered == [first: "One: $(touch /tmp/x) `id`", second: "Two"])
        }
        try await agent.account.call(AgentInbox.markRead, [first])
        #expect(try await words(shell, "feedbell read ") == [second])
        #expect(try await words(shell, "feedbell unread ") == [first])
        #expect(try await words(shell, "feedbell read \(second) ") == [second])
        #expect(try await words(shell, "feedbell list --account ") == ["work"])
        #expect(try await words(shell, "feedbell list --category ") == ["promo"], "a dangerous word is left out")
        #expect(try await words(shell, "feedbell list --tag ") == ["tab1"], "a dangerous word is left out")
        #expect(try await words(shell, "feedbell more --tab ") == ["all", "old"])
        #expect(try await words(shell, "feedbell list --tab o") == ["old"])
        #expect(try await words(shell, "feedbell preferences set ref") == ["refund-news"])
        #expect(
            try await words(shell, "feedbell preferences set refund-news ") == ["inbox", "off", "on", "whatsapp"]
        )
        #expect(try await words(shell, "feedbell preferences set refund-news inbox ") == ["off", "on"])
        #expect(
            try await words(shell, "feedbell preferences channel ") == [
                "androidpush", "email", "inbox", "whatsapp",
            ]
        )
        #expect(try await words(shell, "feedbell preferences channel email ") == ["all", "required"])
        #expect(try await words(shell, "feedbell settings get popups.gr") == ["popups.group_above"])
        #expect(try await words(shell, "feedbell preferences digest ") == ["builds"])
        #expect(try await words(shell, "feedbell preferences property builds ") == ["branches", "min_minutes"])
        #expect(try await words(shell, "feedbell preferences property builds branches ") == ["main", "release"])
        #expect(try await words(shell, "feedbell foll") == ["follow"])
        #expect(try await words(shell, "feedbell help fol") == ["follow"])
        #expect(try await words(shell, "feedbell pause un") == ["until"])
        #expect(try await words(shell, "feedbell pause until tom") == ["tomorrow"])
        #expect(try await words(shell, "feedbell read --account nobody ", mayBeNone: true).isEmpty)
    }

    @Test(
        "A category that hides a backtick or $ in a letter is neither offered nor run",
        .builtAgent(),
        arguments: Shell.allCases
    )
    func hiddenExpansions(shell: Shell) async throws {
        let (sandbox, agent) = (Sandbox.current, BuiltAgent.current)
        try await TemporaryFile.with("", named: "trap") { trap in
            let marker = trap.directory + "/marker"
            let traps = [
                "\u{D4E}`touch \(marker)`", "\u{D4E}$(touch \(marker))", "\u{D4E}`touch${IFS}\(marker)\u{D4E}`",
            ]
            for category in traps + ["promo"] {
                _ = try await sandbox.publish(["header": "One", "n_category": .string(category)])
                _ = try await agent.popup()
            }
            try await agent.waitForList(count: 4)
            #expect(try await words(shell, "feedbell list --category ") == ["promo"])
            #expect(try await words(shell, "feedbell list --category \u{D4E}", mayBeNone: true).isEmpty)
            #expect(!FileManager.default.fileExists(atPath: marker))
        }
    }

    @Test("An account's name with a space is offered, and its data completed", arguments: Shell.allCases)
    func nameWithASpace(shell: Shell) async throws {
        let text =
            AgentConfiguration.account("\"my work\"", user: "anna", url: "http://127.0.0.1:1")
            + Self.tabs.replacing("accounts.work", with: "accounts.\"my work\"")
            + AgentConfiguration.account("home", user: "bob", url: "http://127.0.0.1:1")
        try await TemporaryFile.with(text) { file in
            try await BuiltAgent.alone(file) { _ in
                let names = try await words(shell, "feedbell list --account ")
                #expect(names == ["home", "my work"])
                #expect(try await words(shell, "feedbell list --account m") == ["my work"])
                // The script for bash above does not split words as bash does.
                for name in shell == .bash ? [] : ["\"my work\"", "my\\ work"] {
                    #expect(try await words(shell, "feedbell list --account \(name) --tab ") == ["all", "old"])
                }
            }
        }
    }

    @Test(
        "bash completes words with a colon, at which it separates them",
        arguments: [
            ("list --category ci:buil", "list --category ci:build"), ("list --tag a::", "list --tag a::b"),
            ("mute pro", "mute promo"), ("mute ci:bun", "mute ci:bundle"), ("mute ci\\:buil", "mute ci:build"),
            ("mute \"ci:buil", "mute ci:build"), ("list --account my\\ w", "list --account my work"),
        ]
    )
    func colons(typed: String, completed: String) async throws {
        try await TemporaryFile.with(try await completionScript(.bash), named: "_feedbell") { completion in
            let directory = completion.directory
            // In place of the command, with words to offer.
            let program = TemporaryFile(path: directory + "/feedbell")
            try program.write(
                """
                #!/bin/sh
                case $1 in
                ---completion) printf '%s\\n' ci:build ci:bundle promo 'my work' a::b ;;
                *) echo "got $* end" ;;
                esac
                """
            )
            let start = TemporaryFile(path: directory + "/start")
            try start.write("chmod 700 \(program.path)\nPATH=\(directory):$PATH\nPS1='ready> '\n. \(completion.path)\n")
            let shell = ["env", "INPUTRC=/dev/null", "TERM=dumb", "bash", "--noprofile", "--rcfile", start.path, "-i"]
            let dialogue = try await TerminalDialogue.run(
                shell,
                [("ready> ", "feedbell \(typed)\t"), ("feedbell", "\n"), ("got ", "exit\n")]
            )
            #expect(dialogue.shown.contains("got \(completed) end"), "\(dialogue.shown)")
        }
    }

    @Test("complete -C in a script of fish offers commands and words without a message") func fishScripts()
        async throws
    {
        let generated = try await Programs.run("feedbell", ["--generate-completion-script", "fish"])
        #expect(generated.status == .exited(0), "\(generated.errors)")
        try await TemporaryFile.with(generated.output, named: "feedbell.fish") { file in
            for (line, word) in [("feedbell ", "status"), ("feedbell preferences set x ", "on")] {
                let script = "source \(file.path); complete -C '\(line)'"
                let outcome = try await Programs.run("fish", ["--no-config", "-c", script])
                #expect(outcome.status == .exited(0), "\(outcome.errors)")
                #expect(outcome.errors.isEmpty, "\(outcome.errors)")
                #expect(outcome.output.split(separator: "\n").contains { $0.hasPrefix(word) }, "\(outcome.output)")
            }
        }
    }

    /// Nothing is offered, nothing is said, and no agent is started.
    @Test("Completions without an agent offer fixed words and start no agent", arguments: Shell.allCases)
    func withoutAnAgent(shell: Shell) async throws {
        #expect(try await words(shell, "feedbell read ", mayBeNone: true).isEmpty)
        #expect(try await words(shell, "feedbell preferences set x ") == ["off", "on"])
    }
}
