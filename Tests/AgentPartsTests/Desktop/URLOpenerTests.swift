import Basics
import DBus
import Logging
import TestSupport
import Testing

@testable import Agent

@Suite(.sessionBus, .timeLimit(.minutes(5))) struct URLOpenerTests {
    private let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    @Test("Without a portal, systemd starts the opener in a transient unit")
    func transientUnit() async throws {
        try await withBus { bus in
            let (calls, input) = AsyncStream<(String, [SystemdManager.UnitProperty])>.makeStream()
            var manager = ExportedObject(SystemdManager.path)
            manager.set(SystemdManager.variables, [])
            manager.handle(SystemdManager.startTransientUnit) { name, mode, properties, _ in
                input.yield((name, properties))
                return "/org/freedesktop/systemd1/job/1"
            }
            try await bus.export(manager)
            _ = try await bus.requestName(SystemdManager.busName)
            try await withBus { (client) async throws in
                let opener = URLOpener(bus: client, program: "xdg-open", logger: logger)
                #expect(try await opener.open("https://example.com", token: "t") == .transientUnit)
                #expect(try await opener.open("https://e.example/$$a?$HOME=${b}%25%h\\", token: nil) == .transientUnit)
            }
            let (name, list) = try #require(await calls.next())
            #expect(name.hasPrefix("app-org.feedbell.Agent-"))
            #expect(name.hasSuffix(".service"))
            let properties = Dictionary(uniqueKeysWithValues: list.map { $0.elements })
            #expect(properties["Environment"] == Value(["XDG_ACTIVATION_TOKEN=t", "DESKTOP_STARTUP_ID=t"]))
            let command = SystemdManager.Command("/usr/bin/env", ["env", "xdg-open", "https://example.com"], false)
            #expect(properties["ExecStart"] == Value([command]))
            // The service manager replaces "$$" by "$", and no variable by its value.
            let second = try #require(await calls.next()).1.map(\.elements).first { $0.0 == "ExecStart" }
            let dollars = "https://e.example/$$$$a?$$HOME=$${b}%25%h\\"
            #expect(second?.1 == Value([SystemdManager.Command("/usr/bin/env", ["env", "xdg-open", dollars], false)]))
        }
    }

    @Test("A unit of an opener that finds no program is an error", arguments: [0, 3] as [Int32])
    func failedUnit(status: Int32) async throws {
        try await withBus { bus in
            let (released, unit): (Mailbox<String>, ObjectPath) = (Mailbox(), "/org/freedesktop/systemd1/unit/link")
            var manager = ExportedObject(SystemdManager.path)
            manager.set(SystemdManager.variables, ["DISPLAY=:7"])
            manager.handle(SystemdManager.startTransientUnit) { _, _, _, _ in "/org/freedesktop/systemd1/job/1" }
            manager.handle(SystemdManager.getUnit) { _ in unit }
            manager.handle(SystemdManager.unrefUnit) { released.send($0) }
            try await bus.export(manager)
            var ended = ExportedObject(unit)
            ended.set(SystemdUnit.activeState, status == 0 ? "inactive" : "failed")
            ended.set(SystemdServiceUnit.exitStatus, status)
            try await bus.export(ended)
            _ = try await bus.requestName(SystemdManager.busName)
            try await withBus { (client) async throws in
                let opener = URLOpener(bus: client, program: "xdg-open", logger: logger)
                if status == 0 {
                    #expect(try await opener.open("https://example.com", token: nil) == .transientUnit)
                } else {
                    let failure = await #expect(throws: URLOpener.Failure.self) {
                        try await opener.open("https://example.com", token: nil)
                    }
                    #expect(failure == .nothingOpens(scheme: "https"))
                }
            }
            #expect(await released.messages.next()?.hasPrefix("app-org.feedbell.Agent-") == true)
        }
    }

    @Test("A process of an opener that fails is an error, one that succeeds or goes on is none")
    func openerInProcess() async throws {
        try await withBus { (bus: Bus) async throws in
            let failure = await #expect(throws: URLOpener.Failure.self) {
                try await URLOpener(bus: bus, program: "false", logger: logger).open("https://example.com", token: nil)
            }
            // It depends on where the test runs.
            #expect(failure == .nothingOpens(scheme: "https") || failure == .noDisplay)
            // The second one goes on for a while.
            for (program, argument) in [("true", "https://example.com"), ("sleep", "5")] {
                let opener = URLOpener(bus: bus, program: program, logger: logger)
                #expect(try await opener.open(argument, token: nil) == .process, "\(program)")
            }
        }
    }

    @Test("Without any opener, an error is returned") func noOpener() async throws {
        try await withBus { bus in
            let opener = URLOpener(bus: bus, program: "nothing-of-that-name", logger: logger)
            let failure = await #expect(throws: URLOpener.Failure.self) {
                try await opener.open("https://example.com", token: nil)
            }
            #expect(failure == .noOpener(program: "nothing-of-that-name"))
        }
    }
}
