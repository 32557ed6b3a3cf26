import DBus
import Glibc
import TestSupport
import Testing

/// Other implementations of D-Bus as clients and as services.
@Suite(.sessionBus, .timeLimit(.minutes(5))) struct ForeignPeerTests {
    private func withClock(_ body: (Bus) async throws -> Void) async throws {
        var object = Clock.object()
        object.handle(Clock.setAlarm) { time, label in UInt32(label.utf8.count) + UInt32(time) }
        try await withBus { bus in
            try await bus.export(object)
            await bus.exportObjectManager(at: "/org/example")
            _ = try await bus.requestName(Clock.busName)
            try await body(bus)
        }
    }

    @Test(
        "gdbus calls methods, reads properties and introspects",
        .enabled("gdbus is not installed") { await Command.exists("gdbus") }
    ) func gdbus() async throws {
        try await withClock { _ in
            let target = ["--session", "--dest", Clock.busName.text, "--object-path", Clock.path.text]
            let call = try await Command.run(
                "gdbus",
                ["call"] + target + ["--method", "org.example.Clock1.SetAlarm", "40", "té"]
            )
            #expect(call.succeeded, "\(call.errors)")
            #expect(call.output == "(uint32 43,)", "\(call.errors)")
            let all = try await Command.run(
                "gdbus",
                ["call"] + target + ["--method", "org.freedesktop.DBus.Properties.GetAll", "org.example.Clock1"]
            )
            #expect(all.succeeded, "\(all.errors)")
            #expect(all.output.contains("'Model': <'brass'>"), "\(all.errors)")
            let failure = try await Command.run("gdbus", ["call"] + target + ["--method", "org.example.Clock1.Nope"])
            #expect(!failure.succeeded)
            #expect(failure.errors.contains("UnknownMethod"))
            let tree = try await Command.run(
                "gdbus",
                ["introspect", "--session", "--dest", Clock.busName.text, "--object-path", "/org", "--recurse"]
            )
            #expect(tree.succeeded, "\(tree.errors)")
            #expect(tree.output.contains("readwrite u Zone = 1;"), "\(tree.errors)")
            #expect(tree.output.contains("interface org.freedesktop.DBus.ObjectManager"))
        }
    }

    @Test(
        "busctl calls methods, sets and reads properties and introspects",
        .enabled("busctl is not installed") { await Command.exists("busctl") }
    ) func busctl() async throws {
        try await withClock { _ in
            let target = [Clock.busName.text, Clock.path.text]
            let call = try await Command.run(
                "busctl",
                ["--user", "call"] + target + [Clock.name.text, "SetAlarm", "xs", "1", "tea"]
            )
            #expect(call.succeeded, "\(call.errors)")
            #expect(call.output == "u 4", "\(call.errors)")
            let set = try await Command.run(
                "busctl",
                ["--user", "set-property"] + target + [Clock.name.text, "Label", "s", "milk"]
            )
            #expect(set.succeeded, "\(set.errors)")
            let get = try await Command.run(
                "busctl",
                ["--user", "get-property"] + target + [Clock.name.text, "Label"]
            )
            #expect(get.succeeded, "\(get.errors)")
            #expect(get.output == "s \"milk\"", "\(get.errors)")
            let shown = try await Command.run("busctl", ["--user", "introspect"] + target + [Clock.name.text])
            #expect(shown.succeeded, "\(shown.errors)")
            #expect(shown.output.contains(".SetAlarm") && shown.output.contains("brass"), "\(shown.errors)")
            let ping = try await Command.run(
                "busctl",
                ["--user", "call"] + target + ["org.freedesktop.DBus.Peer", "GetMachineId"]
            )
            #expect(ping.output.hasPrefix("s \"") || ping.errors.contains("no id"))
        }
    }

    @Test("The introspection data of the bus daemon contains the members that we call") func busDaemon() async throws {
        try await withBus { bus in
            let node = try await Proxy(bus, .bus, BusInterface.path).introspect()
            let live = try #require(node.interface(BusInterface.name)).members.map(\.name)
            for member in BusInterface.description.members { #expect(live.contains(member.name)) }
            #expect(
                try await Proxy(bus, .bus, BusInterface.path).call(BusInterface.listNames).contains(bus.uniqueName.text)
            )
        }
    }
}
