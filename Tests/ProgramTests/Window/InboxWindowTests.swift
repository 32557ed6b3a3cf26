import AgentInterface
import AgentTestSupport
import DBus
import Glibc
import Sandbox
import Subprocess
import TestSupport
import Testing

/// The built window with agent and service, operated by controls and keys.
@Suite(
    .sessionBus,
    .builtAgent(),
    .timeLimit(.minutes(5)),
    .enabled(if: WindowScreen.isBuilt, "libadwaita is not installed")
) struct InboxWindowTests {
    private let sandbox = Sandbox.current
    private let agent = BuiltAgent.current

    @Test("Notifications are listed, opened and marked as read by keys") func keys()
        async throws
    {
        let first = try await sandbox.publish(["header": "One", "text": "first"])
        let second = try await sandbox.publish([
            "header": "<b>Two</b>", "text": "A text.", "url": "https://example.com/two",
        ])
        try await agent.waitForList(count: 2)
        try await WindowScreen.with { screen in
            let rows = try await screen.wait(rows: 2)
            #expect(rows[0].hasPrefix("Unread, <b>Two</b>, system, ") && rows[0].hasSuffix(", A text."))
            #expect(rows[1].hasPrefix("Unread, One, system, ") && rows[1].hasSuffix(", first"))

            try await screen.wait(for: "2 unread")
            try await screen.waitForFocusedRow()
            try await screen.key("Return")
            #expect(try await agent.opened.next().first == "https://example.com/two")
            try await agent.waitForRequest("interacted", of: second)
            try await screen.wait(for: "1 unread")

            try await screen.key("Down", until: { $0.name.contains("One, ") && $0.has(.selected) })
            try await screen.key("r")
            try await agent.waitForRequest("read", of: first)
        }
    }

    @Test("Another program, such as the search of the desktop, can ask for a search") func searchAction() async throws {
        try await WindowScreen.with { screen in
            try await screen.wait(for: "No Notifications")
            let window = Proxy(agent.bus, AgentNames.windowName, AgentNames.windowPath)
            let search = WindowAction.search(words: "zebra")
            try await window.call(DesktopApplication.activateAction, search.name, [search.parameter], [:])
            try await screen.wait(for: "Nothing Found")
            // Words are typed on: the button of the page does not take the focus.
            try await screen.waitForFocus(where: { !$0.role.contains("button") && $0.role != "list item" })
        }
    }

    @Test("An archived one is brought back by undo, and sent when the window closes") func undo() async throws {
        let id = try await sandbox.publish(["header": "One", "text": "first"])
        try await sandbox.publish(["header": "Two", "text": "second"])
        try await agent.waitForList(count: 2)
        try await WindowScreen.with { screen in
            try await screen.wait(rows: 2)
            try await screen.waitForFocusedRow()
            try await screen.key("Down", until: { $0.name.contains("One, ") && $0.has(.selected) })
            try await screen.key("e")
            try await screen.wait(rows: 1)
            try await screen.keepPicture("undo")
            try await screen.key("ctrl+z")
            try await screen.wait(rows: 2)
            #expect(await sandbox.requests.allSatisfy { !$0.path.hasSuffix("/archive") })
            try await screen.key("e")
            try await screen.wait(rows: 1)
            try await screen.keepPicture("archived")
            try await screen.close()
            try await agent.waitForRequest("archive", of: id)
        }
    }

    @Test("Several are selected and marked as read together") func selection() async throws {
        try await WindowScreen.with(notifications: WindowScreen.numbered(3)) { screen in
            try await screen.press("Select notifications")
            try await screen.wait(for: "0 selected")
            try await screen.key("ctrl+a")
            try await screen.wait(for: "3 selected")
            try await screen.keepPicture("selection")
            try await screen.press("Mark as Read")
            try await agent.account.wait(AgentInbox.unreadCount, is: 0)
            try await screen.waitForNo("3 selected")
        }
    }

    @Test("With several selected, each row has a check box, and a click opens nothing and presses no button")
    func clicksWhileSelecting() async throws {
        let buttons: [String: JSON] = ["actions": [["name": "Approve", "url": "https://example.com/yes"]]]
        try await WindowScreen.with(notifications: WindowScreen.numbered(3) { _ in buttons }) { screen in
            try await screen.key("ctrl+a")
            try await screen.wait { elements in
                elements.count { $0.name == "Selected" && $0.isSwitch && $0.has(.checked) } == 3
            }
            try await screen.keepPicture("select-all")
            // GTK 4.8 fills a row again whose selection changes, with other widgets for screen readers.
            for count in ["2 selected", "3 selected"] {
                try await screen.click(screen.wait(for: "Approve", role: "button"))
                try await screen.wait(for: count)
            }
            #expect(await sandbox.requests.allSatisfy { !$0.path.contains("interacted") })
        }
    }

    @Test("After all was marked as read, a button of the toast archives them, and the empty inbox says so")
    func archiveRead() async throws {
        try await WindowScreen.with(notifications: WindowScreen.numbered(3)) { screen in
            try await screen.key("shift+a")
            try await screen.wait(for: "All marked as read")
            try await screen.keepPicture("all-read")
            try await screen.press("Archive 3 Read Ones")
            try await screen.wait(for: "You Are Done")
            try await screen.wait(for: "3 notifications archived")
            try await screen.keepPicture("done")
        }
    }

    @Test("A long inbox is loaded as it is scrolled") func pages() async throws {
        try await sandbox.execute("publish", ["notifications": .array(WindowScreen.numbered(120))])
        try await agent.account.wait(AgentInbox.totalCount, is: 120)
        try await WindowScreen.with { screen in
            try await screen.wait(for: "Nr 120,", role: "list item")
            try await screen.waitForFocusedRow()
            try await screen.key("End")
            try await screen.waitForFocus(where: { $0.name.contains(" Nr 1,") })
            try await screen.wait(for: "120 notifications", role: "label")
            try await screen.keepPicture("end")
        }
    }

    @Test("An agent that ends is reported with a button, and its successor's inbox is shown") func lostAgent()
        async throws
    {
        try await sandbox.publish(["header": "One", "text": "x"])
        try await agent.waitForList(count: 1)
        try await WindowScreen.with { screen in
            try await screen.wait(rows: 1)
            agent.program.send(SIGTERM)
            await agent.program.ended()
            try await screen.wait(for: "Feedbell has stopped.")
            try await screen.wait(rows: 1)
            try await screen.press("Start")
            // Nothing starts it on the test's bus.
            try await BuiltAgent.alone { other in
                try await other.account.wait(AgentAccount.state, is: "online")
                try await screen.waitForNo("Feedbell has stopped.")
                try await sandbox.publish(["header": "Two", "text": "x"])
                try await screen.wait(rows: 2)
            }
        }
    }

    @Test("An agent that does not answer is waited for, and its inbox is shown as soon as it does") func silentAgent()
        async throws
    {
        try await sandbox.publish(["header": "One", "text": "x"])
        try await agent.waitForList(count: 1)
        agent.program.send(SIGSTOP)
        defer { agent.program.send(SIGCONT) }
        try await WindowScreen.with { screen in
            try await screen.wait(for: "Feedbell does not answer.")
            agent.program.send(SIGCONT)
            try await screen.wait(rows: 1)
            try await screen.waitForNo("Feedbell does not answer.")
        }
    }

    @Test("A second start brings the window to the front, with the notification that it names") func secondStart()
        async throws
    {
        let id = try await sandbox.publish([
            "header": "One", "text": .string((1...9).map { "Line \($0)" }.joined(separator: "\n\n")),
        ])
        try await agent.waitForList(count: 1)
        try await WindowScreen.with { screen in
            try await screen.wait(rows: 1)
            let environment: [Environment.Key: String?] = ["DISPLAY": screen.display]
            let second = try await Programs.run("feedbell-window", ["--show", "work", id], environment: environment)
            #expect(second.status == .exited(0), "\(second.errors)")
            try await screen.wait(for: "Line 9")
            #expect(try await Programs.run("feedbell", ["inbox", "--window"]).status == .exited(0))
        }
        let none = try await Programs.run("feedbell", ["inbox", "--window"])
        #expect(none.status == .exited(5) && none.errors.contains("Install the package feedbell-window."))
    }

    @Test("At rest, the window does nothing: no frames, no wake-ups") func rest() async throws {
        // A day old: its time changes once in a day.
        let created = SandboxTrait.realTime() - 30 * 3_600_000
        try await sandbox.publish(["header": "One", "text": "x", "created_on": .integer(created)])
        try await agent.waitForList(count: 1)
        try await WindowScreen.with { screen in
            try await screen.wait(rows: 1)
            // What follows from the start ends: the row is seen, animations run out, GTK's threads end.
            try await sandbox.wait { state in
                TestedService.suprSend.rows(in: state).allSatisfy { $0.isSeen } ? true : nil
            }
            try await lasting("number of wake-ups", readings: 2, every: .seconds(2)) { try screen.wakeUps }
        }
    }
}
