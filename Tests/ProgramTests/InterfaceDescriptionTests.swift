import AgentInterface
import AgentTestSupport
import DBus
import FoundationEssentials
import Sandbox
import Subprocess
import TestSupport
import Testing

/// `dbus/org.feedbell.Agent1.xml` defines the interface, and standard tools work with it.
@Suite(.sessionBus, .timeLimit(.minutes(5))) struct InterfaceDescriptionTests {
    private static let tabs =
        "[[accounts.work.stores]]\nid = \"all\"\n[[accounts.work.stores]]\nid = \"unread\"\nread = false\n"

    private static let file = Checkout.root.appending(path: "dbus/org.feedbell.Agent1.xml")
    private static var text: String {
        get throws { String(decoding: try Data(contentsOf: file), as: UTF8.self) }
    }

    /// The introspection of a running agent and the XML file agree.
    @Test("Introspection of a running agent returns the interfaces of the XML file") func introspection() async throws {
        let documented = try NodeDescription(xml: try Self.text)
        try await BuiltAgent.alone(AgentConfiguration.account(url: "http://127.0.0.1:1")) { agent in
            let live = try await agent.root.introspect().interfaces + agent.account.introspect().interfaces
            for interface in documented.interfaces {
                let same = try #require(live.first { $0.name == interface.name })
                #expect(same.outline == interface.outline)
            }
            let ours = live.filter { $0.name.text.hasPrefix("org.feedbell.") }
            #expect(Set(ours.map(\.name)) == Set(documented.interfaces.map(\.name)))
        }
    }

    /// A member's comment, and the command it gives as an example.
    private struct Example {
        var member: String
        var command: String?
    }

    private static func examples() throws -> [Example] {
        var examples: [Example] = []
        var command: String?
        for line in try text.split(separator: "\n") {
            let line = line.drop { $0 == " " }
            // A backslash at the end of a line continues the command.
            if let first = command, first.hasSuffix("\\") { command = String(first.dropLast()) + line }
            if line.hasPrefix("$ ") { command = String(line.dropFirst(2)) }
            for kind in ["<method name=\"", "<property name=\"", "<signal name=\""] where line.hasPrefix(kind) {
                examples.append(
                    Example(member: String(line.dropFirst(kind.count).prefix { $0 != "\"" }), command: command)
                )
                command = nil
            }
        }
        return examples
    }

    @Test("Every member of the interface has a working example", .builtAgent(configuration: Self.tabs))
    func workingExamples() async throws {
        let examples = try Self.examples()
        #expect(examples.count > 50)
        let (sandbox, agent) = (Sandbox.current, BuiltAgent.current)
        let id = try await sandbox.publish([
            "header": "One", "text": "first", "url": "https://a.example",
            "actions": [["name": "Buy", "url": "https://b.example"]],
        ])
        _ = try await agent.popup()
        try await agent.account.wait(AgentInbox.unreadCount, is: 1)
        for example in examples {
            guard let command = example.command else {
                Issue.record("\(example.member) has no example")
                continue
            }
            // Listens until it is terminated.
            if command == "feedbell follow" || command.hasPrefix("gdbus monitor") { continue }
            // What the example of AddRule has added.
            let rule = try await agent.root.call(AgentRoot.rules).last.map { RuleRecord($0).id } ?? ""
            let line = command.replacing("01K1VNB0E0EXPRE00000000002", with: id).replacing("mb3k9x2a", with: rule)
            let outcome = try await Programs.run("sh", ["-c", line])
            if ["Unarchive", "Delete"].contains(example.member) {
                #expect(outcome.errors.contains("The service of the account \"work\" (suprsend) cannot "), "\(command)")
            } else if example.member.hasPrefix("Undo") {
                #expect(outcome.errors.contains("There is nothing to take back."), "\(command)")
            } else if example.member == "SetTopic" {
                #expect(outcome.errors.contains("does not support subscriptions to topics"), "\(outcome.errors)")
            } else if ["SignIn", "CancelSignIn"].contains(example.member) {
                #expect(outcome.errors.contains("\"work\" does not sign in with the browser"), "\(outcome.errors)")
            } else {
                #expect(outcome.status == .exited(0), "\(command): \(outcome.errors)")
            }
            // SignOut begins a new connection, whose inbox is loaded in a moment.
            try await agent.account.wait(AgentAccount.lastEvent) { $0 > 0 }
        }
    }

    // MARK: Standard tools

    /// Publishes a notification and waits until the agent lists it.
    private func publish() async throws -> String {
        let agent = BuiltAgent.current
        let id = try await Sandbox.current.publish(["header": "One", "text": "first"])
        _ = try await agent.popup()
        try await agent.account.wait(AgentInbox.unreadCount, is: 1)
        try await agent.account.wait(AgentInbox.totalCount, is: 1)
        return id
    }

    @Test("A C client made by gdbus-codegen works with the agent", .builtAgent()) func gdbusCodegen() async throws {
        let client = Checkout.root.appending(path: "Tests/ProgramTests/Clients/gdbus-client.c").path
        try await TemporaryFile.with("") { file in
            let build = """
                set -e
                cd \(file.directory)
                gdbus-codegen --interface-prefix org.feedbell. --c-namespace Feedbell --c-generate-object-manager \
                    --generate-c-code agent '\(Self.file.path)'
                gcc -Wall -Werror -Wno-unused-parameter -I. -o client '\(client)' agent.c \
                    $(pkg-config --cflags --libs gio-unix-2.0)
                """
            let built = try await Programs.run("sh", ["-c", build])
            #expect(built.status == .exited(0), "\(built.errors)")
            let id = try await publish()
            let ran = try await Programs.run("env", [file.directory + "/client"])
            #expect(ran.status == .exited(0), "\(ran.errors)")
            #expect(ran.output == "account work online\nunread 1\ntitle One\nchanged \(id)\nunread 0\n")
        }
    }

    /// gdbus-codegen reads one line of an argument's comment; further ones end up in the member's text.
    @Test("gdbus-codegen's documents have every argument's whole comment") func documents() async throws {
        try await TemporaryFile.with("") { file in
            let command =
                "cd \(file.directory) && gdbus-codegen --generate-docbook doc '\(Self.file.path)' && cat doc-*.xml"
            let made = try await Programs.run("sh", ["-c", command])
            #expect(made.status == .exited(0), "\(made.errors)")
            let notifications = made.output.split(separator: "<listitem><para>\n").dropFirst()
            #expect(notifications.count > 20)
            for notification in notifications {
                #expect(notification.prefix { $0 != "\n" }.hasSuffix("."), "\(notification.prefix(200))")
            }
            #expect(
                made.output.contains("the notifications, those that are pinned and unread first, then newest first.\n")
            )
        }
    }

    @Test("A Python client with dbus-fast works with the agent", .builtAgent()) func dbusFast() async throws {
        let client = Checkout.root.appending(path: "Tests/ProgramTests/Clients/dbus-fast-client.py").path
        let id = try await publish()
        let ran = try await Programs.run("env", [try Checkout.python, client, Self.file.path])
        #expect(ran.status == .exited(0), "\(ran.errors)")
        let expected = "account work online\nunread 1\ntitle One\nchanged \(id)\nunread 0\n"
        #expect(ran.output.hasPrefix(expected), "\(ran.output)")
        #expect(ran.output.contains("category refund-news opt_"))
        #expect(ran.output.hasSuffix("error org.feedbell.Error.NotFound\n"))
    }

    @Test("busctl and gdbus list every member of the interface") func introspectionTools() async throws {
        let names = try Self.examples().map(\.member)
        try await BuiltAgent.alone(AgentConfiguration.account(url: "http://127.0.0.1:1")) { agent in
            let paths = try await agent.root.get(AgentRoot.accounts).map(\.text)
            var shown = (busctl: "", gdbus: "")
            for path in [AgentNames.agentPath.text] + paths {
                let busctl = try await Command.run("busctl", ["--user", "introspect", AgentNames.busName.text, path])
                #expect(busctl.succeeded, "\(busctl.errors)")
                shown.busctl += busctl.output
                let target = ["-e", "-d", AgentNames.busName.text, "-o", path]
                let gdbus = try await Command.run("gdbus", ["introspect"] + target)
                #expect(gdbus.succeeded, "\(gdbus.errors)")
                shown.gdbus += gdbus.output
            }
            for name in names {
                #expect(shown.busctl.contains("\n.\(name) "))
                #expect(shown.gdbus.contains(" \(name)(") || shown.gdbus.contains(" \(name) = "), "\(name)")
            }
            #expect(shown.gdbus.contains("readonly u UnreadCount = 0;"))
        }
    }
}
