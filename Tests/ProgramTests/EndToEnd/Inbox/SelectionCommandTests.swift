import AgentInterface
import AgentTestSupport
import DBus
import Sandbox
import Subprocess
import TestSupport
import Testing

/// `feedbell read`, `seen`, `archive` and `delete` with filters, and with ids on standard input.
@Suite(.sessionBus, .timeLimit(.minutes(5))) struct SelectionCommandTests {
    /// Three notifications of the category promo, the first of them with the tag old, and one of orders; in this order.
    private func publish(_ agent: BuiltAgent) async throws -> [String] {
        var ids: [String] = []
        for (title, category) in [("One", "promo"), ("Two", "promo"), ("Three", "promo"), ("Parcel", "orders")] {
            ids.append(
                try await Sandbox.current.publish([
                    "header": .string(title), "n_category": .string(category),
                    "tags": .array(ids.isEmpty ? ["old"] : []),
                ])
            )
        }
        try await agent.waitForList(count: 4)
        return ids
    }

    private func output(_ arguments: String..., input: String = "") async throws -> String {
        let outcome = try await Programs.run("feedbell", arguments, input: input)
        #expect(outcome.status == .exited(0) && outcome.errors.isEmpty, "\(arguments): \(outcome.errors)")
        return outcome.output
    }

    private func titles(_ options: String...) async throws -> [String] {
        try await Programs.output("feedbell", ["list"] + options).split(separator: "\n").map {
            String($0.split(separator: "\t")[3])
        }
    }

    @Test("Filters choose notifications, and the result says how many were changed", .builtAgent()) func filters()
        async throws
    {
        let (sandbox, agent) = (Sandbox.current, BuiltAgent.current)
        let ids = try await publish(agent)
        // Sent with one request.
        #expect(try await output("seen", "--category", "promo", "--yes") == "3 notifications were marked as seen.\n")
        _ = try await sandbox.waitForRequest { $0.path.hasSuffix("/bulk/notifications/seen") }
        #expect(try await output("read", "--before", "2020-01-01") == "Nothing to change.\n")
        // A script gives its consent, too.
        for command in [["read", "--all"], ["archive", "--tag", "old"], ["seen", "--before", "2100-01-01"]] {
            let refused = try await Programs.run("feedbell", command)
            #expect(refused.status == .exited(64) && refused.errors.contains("Pass --yes."), "\(refused)")
        }
        let old = try await output("read", "--category", "promo", "--tag", "old", "--yes")
        #expect(old == "1 notification was marked as read.\n")
        #expect(try await output("read", "--category", "promo", "--json", "--yes") == "{\"changed\":2}\n")
        #expect(try await titles("--unread") == ["Parcel"])
        for id in ids.prefix(3) { try await agent.waitForRequest("read", of: id) }
        #expect(try await output("read", "--category", "promo", "--json") == "{\"changed\":0}\n")
        #expect(try await output("read", "--all", "--yes") == "1 notification was marked as read.\n")
        _ = try await sandbox.waitForRequest { $0.path.hasSuffix("/mark_all_read") }
        #expect(try await titles("--unread") == [])
        #expect(try await output("archive", "--before", "1s", "--tag", "none") == "Nothing to change.\n")
        #expect(try await output("archive", "--before", "2100-01-01", "--yes") == "4 notifications were archived.\n")
        #expect(try await titles() == [])
        for id in ids { try await agent.waitForRequest("archive", of: id) }
        try await agent.account.wait(AgentAccount.pendingActions, is: 0)
        let requests = await sandbox.requests
        #expect(requests.filter { $0.path.hasSuffix("/read") }.count == 3)
        #expect(requests.filter { $0.path.hasSuffix("/seen") }.count == 1)
        #expect(requests.filter { $0.path.hasSuffix("/archive") }.count == 4)
    }

    @Test("Without an account it changes those of the accounts whose service can do it", .sandbox(users: ["anna"]))
    func ableAccounts() async throws {
        try await Sandbox.with(TestedService.magicBell.options) { magicBell in
            let home = TestedService.magicBell.account("home", at: magicBell.baseURL)
            try await BuiltAgent.with(AgentConfiguration.account() + home) { agent in
                _ = try await Sandbox.current.publish(["header": "Stays"])
                let rows = ["One", "Two"].map { TestedService.magicBell.fields($0) }
                try await magicBell.execute("publish", ["notifications": .array(rows)])
                try await agent.waitForList(count: 1)
                try await agent.waitForList(count: 2, of: "home")
                #expect(try await output("delete", "--all", "--yes") == "2 notifications were deleted.\n")
                #expect(try await titles() == ["Stays"])
                let refused = try await Programs.run("feedbell", ["delete", "--account", "work", "--all", "--yes"])
                #expect(refused.status == .exited(6))
            }
        }
    }

    @Test("All that is read is archived with --read, which a script confirms with --yes", .builtAgent()) func read()
        async throws
    {
        let ids = try await publish(.current)
        #expect(try await output("archive", "--read", "--yes") == "Nothing to change.\n")
        #expect(try await output("read", ids[0], ids[3]).isEmpty)
        #expect(try await Programs.run("feedbell", ["archive", "--read"]).status == .exited(64))
        #expect(
            try await output("archive", "--read", "--category", "promo", "--yes") == "1 notification was archived.\n"
        )
        #expect(try await output("archive", "--read", "--json", "--yes") == "{\"changed\":1}\n")
        #expect(try await titles() == ["Three", "Two"])
        _ = try await output("undo")
        #expect(try await titles() == ["Parcel", "Three", "Two"])
    }

    @Test("Ids are read from standard input, also as the lines of a list", .builtAgent()) func standardInput()
        async throws
    {
        let ids = try await publish(.current)
        let list = try await Programs.output("feedbell", ["list", "--category", "promo"])
        #expect(list.contains("\t"))
        #expect(try await output("read", "-", input: list).isEmpty)
        #expect(try await titles("--unread") == ["Parcel"])
        #expect(try await output("unread", "-", input: "\(ids[0])\n\n\(ids[1])\n").isEmpty)
        #expect(try await titles("--unread") == ["Parcel", "Two", "One"])
        #expect(try await output("archive", "-", input: "").isEmpty)
        #expect(try await titles("--read") == ["Three"])
    }

    @Test("On a terminal it asks, and changes nothing without a yes", .builtAgent()) func question() async throws {
        _ = try await publish(.current)
        let question = "Mark 3 notifications as read? [y/N]: "
        let no = try await TerminalDialogue.run(["feedbell", "read", "--category", "promo"], [(question, "\n")])
        #expect(no.status == 64 && no.shown.contains("Nothing was changed."))
        #expect(try await titles("--unread").count == 4)
        let yes = try await TerminalDialogue.run(["feedbell", "read", "--category", "promo"], [(question, "y\n")])
        #expect(yes.status == 0 && yes.shown.contains("3 notifications were marked as read."))
        #expect(try await titles("--unread") == ["Parcel"])
        let unasked = try await TerminalDialogue.run(["feedbell", "archive", "--all", "--yes"], [])
        #expect(unasked.status == 0 && !unasked.shown.contains("[y/N]"))
    }

    @Test(
        "Ids and filters that exclude each other, and what is missing, are reported",
        .builtAgent(),
        arguments: [
            (["read"], 64, "Give ids, or choose notifications with --category, --tag, --read, --before or --all."),
            (["read", "x", "--all"], 64, "Give ids or a filter, not both."),
            (["archive", "--all", "--tag", "x"], 64, "exclude each other: --all, --tag."),
            (
                ["seen", "--before", "soon"], 64,
                "\"soon\" is not a valid time. Examples: 7d, 12h, yesterday, 2026-11-20"
            ),
            (["delete", "--all", "--yes"], 6, "The account's service does not support this."),
        ]
    ) func invalid(arguments: [String], code: Int32, sentence: String) async throws {
        let outcome = try await Programs.run("feedbell", arguments)
        #expect(outcome.status == .exited(code) && outcome.output.isEmpty)
        #expect(outcome.errors.contains(sentence), "\(outcome.errors)")
    }

    @Test(
        "More than a page is loaded and changed, with several calls where one cannot take all",
        .sandbox(users: ["anna"])
    )
    func many() async throws {
        let count = 1_050
        let rows = (1...count).map { number in
            TestedService.suprSend.fields(
                "Nr \(number)",
                label: "builds",
                created: .integer(1_700_000_000_000 + Int64(number))
            )
        }
        try await Sandbox.current.execute("publish", ["notifications": .array(rows)])
        try await BuiltAgent.with { agent in
            try await agent.account.wait(AgentInbox.unreadCount, is: UInt32(count))
            #expect(try await output("seen", "--tag", "builds", "--json", "--yes") == "{\"changed\":\(count)}\n")
            try await agent.account.wait(AgentInbox.unseenCount, is: 0)
            try await agent.account.wait(AgentAccount.pendingActions, is: 0)
            let bulk = await Sandbox.current.requests.filter { $0.path.hasSuffix("/bulk/notifications/seen") }
            #expect(!bulk.isEmpty && bulk.count < 30)
        }
    }
}

/// More notifications than the agent keeps loaded.
@Suite(.sessionBus, .timeLimit(.minutes(5))) struct SelectionCommandLongTests {
    /// The agent keeps 5,000 of each account beyond the newest part.
    @Test("More than the agent keeps are listed and changed, also by their time", .sandbox(users: ["anna"]))
    func tooMany() async throws {
        let count = 5_400
        for start in stride(from: 0, to: count, by: 900) {
            let rows = (start..<start + 900).map { number in
                TestedService.suprSend.fields(
                    "Nr \(number)",
                    label: "builds",
                    created: .integer(1_700_000_000_000 + Int64(number) * 60_000)
                )
            }
            try await Sandbox.current.execute("publish", ["notifications": .array(rows), "announce": false])
        }
        try await BuiltAgent.with { agent in
            try await agent.account.wait(AgentInbox.unreadCount, is: UInt32(count))
            let wait = ["--timeout", "3600"]
            let list = try await Programs.run("feedbell", ["list", "--limit", "6000"] + wait)
            #expect(list.status == .exited(0) && list.output.split(separator: "\n").count == count, "\(list.errors)")
            let old = ["--before", "2023-11-15", "--yes"] + wait
            let read = try await Programs.run("feedbell", ["read"] + old)
            #expect(read.output == "107 notifications were marked as read.\n", "\(read.errors)")
            // More than one call's, and some that are not loaded: each is a request to the service.
            let tagged = ["archive", "--tag", "builds", "--before", "2023-11-16", "--yes"]
            let archived = try await Programs.run("feedbell", tagged + wait)
            #expect(archived.output == "1547 notifications were archived.\n", "\(archived.errors)")
        }
    }
}
