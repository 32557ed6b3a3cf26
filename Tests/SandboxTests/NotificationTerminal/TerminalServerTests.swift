import DBus
import Sandbox
import TestSupport
import Testing

@Suite(.sessionBus, .timeLimit(.minutes(5))) struct TerminalServerTests {
    private func withServer(
        clock: any Clock<Duration> = ContinuousClock(),
        output: @escaping @Sendable (String) -> Void = { _ in },
        _ body: (TerminalServer, Proxy) async throws -> Void
    ) async throws {
        try await withBus { bus in
            let server = TerminalServer(bus: bus, clock: clock, tokens: { "token" }, output: output)
            try await server.serving {
                try await withBus { client in
                    try await body(
                        server,
                        Proxy(client, FreedesktopNotifications.busName, FreedesktopNotifications.path)
                    )
                }
            }
        }
    }

    private func notify(
        _ proxy: Proxy,
        replacing: UInt32 = 0,
        actions: [String] = ["default", "Open", "x", "Other"],
        hints: [String: Value] = [:],
        timeout: Int32 = -1
    ) async throws -> UInt32 {
        try await proxy.call(
            FreedesktopNotifications.notify,
            "App",
            replacing,
            "",
            "Summary",
            "Body",
            actions,
            hints,
            timeout
        )
    }

    /// A signal in one line.
    private func line(_ message: Message?) throws -> String? {
        guard let message else { return nil }
        if let (id, reason) = try FreedesktopNotifications.notificationClosed.decode(message) {
            return "closed \(id) \(reason)"
        }
        if let (id, key) = try FreedesktopNotifications.actionInvoked.decode(message) { return "action \(id) \(key)" }
        if let (id, token) = try FreedesktopNotifications.activationToken.decode(message) {
            return "token \(id) \(token)"
        }
        return "?"
    }

    @Test("A popup is shown, replaced and closed") func lifecycle() async throws {
        try await withServer { (server, proxy) async throws in
            let signals = try await proxy.signals(of: FreedesktopNotifications.self)
            #expect(
                try await proxy.call(FreedesktopNotifications.getCapabilities) == TerminalServer.defaultCapabilities
            )
            #expect(try await proxy.call(FreedesktopNotifications.getServerInformation).3 == "1.3")
            #expect(try await notify(proxy) == 1)
            #expect(try await notify(proxy) == 2)
            #expect(try await notify(proxy, replacing: 2) == 2)
            #expect(await server.notifications.next()?.summary == "Summary")
            try await server.invoke(id: 1, token: "t")
            try await server.invoke(id: 2, action: "x")
            var seen: [String?] = []
            for _ in 0..<5 { seen.append(try line(await signals.next())) }
            #expect(seen == ["token 1 t", "action 1 default", "closed 1 2", "action 2 x", "closed 2 2"])
            let id = try await notify(proxy)
            try await proxy.call(FreedesktopNotifications.closeNotification, id)
            #expect(try line(await signals.next()) == "closed 3 3")
            let error = await #expect(throws: DBusError.self) {
                try await proxy.call(FreedesktopNotifications.closeNotification, id)
            }
            #expect(error?.name == .invalidArgs)
            #expect(await server.closeCalls == [3, 3])
            #expect(await server.calls.map(\.id) == [1, 2, 2, 3])
        }
    }

    @Test("A popup expires after its timeout") func expiry() async throws {
        let time = ManualClock()
        try await withServer(clock: time) { (server, proxy) async throws in
            let signals = try await proxy.signals(of: FreedesktopNotifications.self)
            _ = try await notify(proxy, timeout: 5000)
            await time.sleeper(for: .seconds(5))
            time.advance(by: .seconds(5))
            #expect(try line(await signals.next()) == "closed 1 1")
            #expect(await server.popups.isEmpty)
        }
    }

    @Test("Invalid calls are rejected") func invalidCalls() async throws {
        try await withServer { (server, proxy) async throws in
            for hints: [String: Value] in [["urgency": .string("2")], ["urgency": .byte(3)]] {
                let error = await #expect(throws: DBusError.self) { try await notify(proxy, hints: hints) }
                #expect(error?.name == .invalidArgs)
            }
            await #expect(throws: DBusError.self) { try await notify(proxy, actions: ["default"]) }
            #expect(await server.calls.map(\.id) == [0, 0, 0])
        }
    }

    @Test("A second server does not replace the first") func secondServer() async throws {
        try await withServer { (_, proxy) async throws in
            try await withBus { (other: Bus) async throws in
                let second = TerminalServer(bus: other)
                let error = await #expect(throws: DBusError.self) { try await second.serving {} }
                #expect(error?.message.contains("Stop it") == true)
            }
            #expect(try await notify(proxy) == 1)
        }
    }

    @Test("The name is released when the server ends") func releasedName() async throws {
        try await withBus { (watcher: Bus) async throws in
            try await withServer { (_, _) async throws in
                let owner = try await watcher.nameOwner(of: FreedesktopNotifications.busName)
                #expect(owner != nil)
            }
            #expect(try await watcher.nameOwner(of: FreedesktopNotifications.busName) == nil)
        }
    }

    @Test("Commands typed at a terminal act on popups") func terminal() async throws {
        let (lines, type) = AsyncStream.makeStream(of: String.self)
        let (output, print) = AsyncStream.makeStream(of: String.self)
        try await withBus { (bus: Bus) async throws in
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await TerminalServer.serveTerminal(bus: bus, lines: lines) { print.yield($0) } }
                #expect(await output.next()?.contains("help") == true)
                try await withBus { (client: Bus) async throws in
                    let proxy = Proxy(client, FreedesktopNotifications.busName, FreedesktopNotifications.path)
                    let signals = try await proxy.signals(of: FreedesktopNotifications.self)
                    _ = try await notify(proxy)
                    #expect(await output.next()?.contains("[2] Other") == true)
                    type.yield("list")
                    #expect(await output.next() == "1: Summary (App)")
                    type.yield("1 3")
                    #expect(await output.next() == "Popup 1 has no button 3.")
                    type.yield("7")
                    #expect(await output.next() == "No popup 7 is open.")
                    type.yield("what")
                    #expect(await output.next() == "“what” is not a command. Type “help” for a list.")
                    type.yield("1 2")
                    #expect(try line(await signals.next())?.hasPrefix("token 1 ") == true)
                    #expect(try line(await signals.next()) == "action 1 x")
                    #expect(try line(await signals.next()) == "closed 1 2")
                }
                type.yield("quit")
                try await group.waitForAll()
            }
        }
    }

    @Test(
        "gdbus shows a popup, and a hint of the wrong type is an error",
        .enabled("gdbus is not installed") { await Command.exists("gdbus") }
    ) func gdbus() async throws {
        try await withServer { (server, _) async throws in
            let target = [
                "call", "--session", "--dest", "org.freedesktop.Notifications", "--object-path",
                "/org/freedesktop/Notifications",
            ]
            let method = "org.freedesktop.Notifications."
            let shown = try await Command.run(
                "gdbus",
                target + [
                    "--method", method + "Notify", "App", "0", "", "Sum", "Body", "['default', 'Open']",
                    "{'urgency': <byte 2>}", "5000",
                ]
            )
            #expect(shown.succeeded, "\(shown.errors)")
            #expect(shown.output == "(uint32 1,)", "\(shown.errors)")
            #expect(await server.calls.first?.hints == ["urgency": .byte(2)])
            let wrong = try await Command.run(
                "gdbus",
                target + [
                    "--method", method + "Notify", "App", "0", "", "Sum", "Body", "[]", "{'urgency': <'high'>}", "5000",
                ]
            )
            #expect(!wrong.succeeded)
            #expect(wrong.errors.contains("InvalidArgs"), "\(wrong.output)")
            let information = try await Command.run("gdbus", target + ["--method", method + "GetServerInformation"])
            #expect(information.succeeded, "\(information.errors)")
            #expect(information.output.contains("'1.3'"))
        }
    }

    @Test("notify-send shows a popup", .enabled("notify-send is not installed") { await Command.exists("notify-send") })
    func notifySend()
        async throws
    {
        try await withServer { (server, _) async throws in
            let sent = try await Command.run("notify-send", ["-u", "critical", "-a", "Mail", "Subject", "a & b"])
            #expect(sent.succeeded, "\(sent.errors)")
            let call = await server.calls.first
            #expect(call?.appName == "Mail")
            #expect(call?.hints["urgency"] == .byte(2))
        }
    }
}
