import DBus
import TestSupport
import Testing

/// Two connections to a real bus.
@Suite(.sessionBus, .timeLimit(.minutes(5))) struct BusTests {
    /// A connection that exports a clock as `org.example.Clock`, and another one to call it.
    private func withClock(
        _ prepare: (inout ExportedObject) -> Void = { _ in },
        _ body: (_ server: Bus, _ client: Bus, _ clock: Proxy) async throws -> Void
    ) async throws {
        var object = Clock.object()
        object.handle(Clock.setAlarm) { time, label in
            if label.isEmpty { throw DBusError("org.example.Error.NoLabel", "An alarm needs a label.") }
            return UInt32(truncatingIfNeeded: time)
        }
        object.handleCall(Clock.who) { _, context in context.sender?.text ?? "" }
        prepare(&object)
        try await withBus { (server: Bus) async throws in
            try await server.export(object)
            #expect(try await server.requestName(Clock.busName) == .primaryOwner)
            try await withBus { (client: Bus) async throws in
                try await body(server, client, Proxy(client, Clock.busName, Clock.path))
            }
        }
    }

    @Test("A call returns the result or the error of the remote object") func callsAndErrors() async throws {
        try await withClock { (server, client, clock) async throws in
            #expect(try await clock.call(Clock.setAlarm, 42, "tea") == 42)
            #expect(try await clock.call(Clock.who) == client.uniqueName.text)
            await #expect(throws: DBusError("org.example.Error.NoLabel", "An alarm needs a label.")) {
                try await clock.call(Clock.setAlarm, 42, "")
            }
            let missing = Proxy(client, "org.example.Nobody", "/")
            let unknown = await #expect(throws: DBusError.self) { try await missing.call(Clock.stop) }
            #expect(unknown?.name == .serviceUnknown)
            let inactive = await #expect(throws: DBusError.self) {
                try await missing.call(Clock.stop, autoStart: false)
            }
            #expect(inactive?.name == .nameHasNoOwner)
        }
    }

    @Test("Errors of other types do not reveal their text") func otherErrors() async throws {
        struct Secret: Error { let password = "xyzzy" }
        try await withClock {
            $0.handle(Clock.stop) { throw Secret() }
        } _: { (_, _, clock) async throws in
            let error = await #expect(throws: DBusError.self) { try await clock.call(Clock.stop) }
            #expect(error == DBusError(.failed, "The call failed (Secret)."))
        }
    }

    @Test("Values of all types arrive unchanged") func everyType() async throws {
        try await withClock { (server, client, clock) async throws in
            var random = SeededGenerator(seed: 11)
            let received = try await server.signals(matching: MatchRule(member: "Echo"))
            for _ in 0..<200 {
                let body = (0..<3).map { _ in randomValue(&random, consistent: true) }
                try await client.send(.signal("/a", "a.b", "Echo", body))
                #expect(await received.next()?.body == body)
            }
        }
    }

    @Test("Properties can be read while run() is not running") func propertiesWithoutRun() async throws {
        let server = try await Bus.connect(to: .address(SessionBus.address))
        try await server.export(Clock.object())
        _ = try await server.requestName(Clock.busName)
        try await withBus { (client: Bus) async throws in
            let clock = Proxy(client, Clock.busName, Clock.path)
            #expect(try await clock.get(Clock.model) == "brass")
            let all = try await clock.getAll(Clock.self)
            #expect(try all.value(Clock.alarms) == 0)
            #expect(all.values.count == 5)
        }
        await server.close()
    }

    @Test("Property changes emit one signal per turn") func changeSignals() async throws {
        try await withClock { (server, _, clock) async throws in
            let changes = try await clock.propertyChanges()
            await server.update(Clock.path) {
                $0.set(Clock.alarms, 1)
                $0.set(Clock.alarms, 3)
                $0.set(Clock.label, "coffee")
                $0.set(Clock.model, "tin")
            }
            await server.update(Clock.path) { $0.set(Clock.alarms, 3) }
            await server.update(Clock.path) { $0.set(Clock.zone, 9) }
            let first = try await #require(changes.next())
            let values = try #require(try PropertyValues<Clock>(changedIn: first))
            #expect(values.values == ["Alarms": .uint32(3), "Label": .string("coffee")])
            let second = try await #require(changes.next())
            #expect(try PropertiesInterface.propertiesChanged.decode(second)?.2 == ["Zone"])
            #expect(try await clock.get(Clock.zone) == 9)
            #expect(try await clock.get(Clock.model) == "brass")
        }
    }

    @Test("A property is set only if it is writable and its handler returns") func setProperty() async throws {
        try await withClock {
            $0.onSet(Clock.label) { value, context in
                if value == "bad" { throw DBusError(.invalidArgs, "No.") }
            }
        } _: { (_, _, clock) async throws in
            try await clock.set(Clock.label, "good")
            #expect(try await clock.get(Clock.label) == "good")
            await #expect(throws: DBusError(.invalidArgs, "No.")) { try await clock.set(Clock.label, "bad") }
            #expect(try await clock.get(Clock.label) == "good")
            try await clock.set(Clock.zone, 12)
            #expect(try await clock.get(Clock.zone) == 12)
            let error = await #expect(throws: DBusError.self) { try await clock.set(Clock.alarms, 1) }
            #expect(error?.name == .propertyReadOnly)
        }
    }

    @Test("An object with a property without a value cannot be exported") func missingValue() async throws {
        try await withBus { (bus: Bus) async throws in
            var object = ExportedObject("/a")
            object.add(Clock.self)
            let error = await #expect(throws: DBusError.self) { try await bus.export(object) }
            #expect(error?.message == "The property “org.example.Clock1.Alarms” of “/a” has no value.")
        }
    }

    @Test("An object manager lists its objects and announces changes") func objectManager() async throws {
        try await withClock { (server, client, _) async throws in
            await server.exportObjectManager(at: "/org/example")
            let manager = Proxy(client, Clock.busName, "/org/example")
            let signals = try await manager.signals(of: ObjectManagerInterface.self)
            #expect(try await Array(manager.getManagedObjects().keys) == [Clock.path])
            try await server.export(Clock.object(at: "/org/example/b"))
            await server.unexport("/org/example/b")
            let added = try await ObjectManagerInterface.interfacesAdded.decode(try #require(signals.next()))
            #expect(added?.0 == "/org/example/b")
            #expect(added?.1[Clock.name.text]?["Model"] == .string("brass"))
            let removed = try await ObjectManagerInterface.interfacesRemoved.decode(try #require(signals.next()))
            #expect(removed?.0 == "/org/example/b")
            #expect(removed?.1 == [Clock.name.text])
            let tree = try await Proxy(client, Clock.busName, "/org").introspect()
            #expect(tree.children == ["example"])
        }
    }

    @Test("Only signals of the current owner of the name are delivered") func signalSender() async throws {
        try await withClock { (server, client, clock) async throws in
            let rings = try await clock.signals(of: Clock.self)
            // Another rule makes the bus deliver every signal to this connection.
            let everything = try await client.signals(matching: MatchRule())
            try await withBus { (stranger: Bus) async throws in
                try await stranger.emit(Clock.rang, 1, from: Clock.path)
                try await stranger.emit(Clock.rang, 2, from: Clock.path, to: client.uniqueName)
                _ = try await stranger.nameOwner(of: Clock.busName)
            }
            try await server.emit(Clock.rang, 3, from: Clock.path)
            #expect(try await Clock.rang.decode(try #require(rings.next())) == 3)
            _ = everything
        }
    }

    @Test("Encoded arguments are those of each signal with their types, and of no other") func encodedSignal()
        async throws
    {
        let other = InterfaceSignal<Clock, String>("Other", (Argument<String>("text")))
        try await withClock { (server, _, clock) async throws in
            let rings = try await clock.signals(of: Clock.self)
            let encoded = try Clock.rang.encode(7)
            await #expect(throws: DBusError(.invalidArgs, "“u” are not the arguments of Other.")) {
                try await server.emit(other, encoded: encoded, from: Clock.path)
            }
            try await server.emit(Clock.rang, encoded: encoded, from: Clock.path)
            #expect(try await Clock.rang.decode(try #require(rings.next())) == 7)
        }
    }

    @Test("A full buffer keeps the newest signals") func signalBuffer() async throws {
        try await withClock { (server, client, clock) async throws in
            let rings = try await clock.signals(of: Clock.self, buffering: .bufferingNewest(2))
            for id in 1...5 as ClosedRange<UInt32> { try await server.emit(Clock.rang, id, from: Clock.path) }
            _ = try await clock.get(Clock.model)
            #expect(try await Clock.rang.decode(try #require(rings.next())) == 4)
            #expect(try await Clock.rang.decode(try #require(rings.next())) == 5)
        }
    }

    @Test("A subscription of a cancelled task leaves an equal rule of another listener") func cancelledSubscription()
        async throws
    {
        try await withClock { (server, client, _) async throws in
            let rule = MatchRule(member: "Echo")
            let received = try await client.signals(matching: rule)
            await withDiscardingTaskGroup { group in
                group.cancelAll()
                group.addTask {
                    await #expect(throws: DBusError.self) { _ = try await client.signals(matching: rule) }
                }
            }
            // The bus handles the messages of a connection in their order.
            _ = try await client.nameOwner(of: Clock.busName)
            try await server.send(.signal("/a", "a.b", "Echo", []))
            #expect(await received.next() != nil)
        }
    }

    @Test("Ending a stream removes its match rule") func matchRules() async throws {
        try await withBus { (client: Bus) async throws in
            do {
                let stream = try await client.signals(matching: MatchRule(sender: "org.example.Nobody"))
                _ = stream
            }
            // The dropped stream removed its own two rules; the bus knows neither any more.
            let rule = "type='signal',sender='org.example.Nobody'"
            var error: DBusError?
            repeat {
                do {
                    try await Proxy(client, .bus, BusInterface.path).call(BusInterface.removeMatch, rule)
                    Issue.record("The rule was still there.")
                } catch let refusal as DBusError { error = refusal }
            } while error == nil
            #expect(error?.name == .matchRuleNotFound)
        }
    }

    @Test("The owner of a name is reported at first and after each change") func owners() async throws {
        try await withBus { (watcher: Bus) async throws in
            let changes = try await watcher.nameOwnerChanges(of: Clock.busName)
            #expect(await changes.next() == NameOwnerChange(name: Clock.busName, old: nil, new: nil))
            let owner = try await withBus { (owner: Bus) async throws in
                _ = try await owner.requestName(Clock.busName)
                #expect(try await watcher.nameOwner(of: Clock.busName) == owner.uniqueName)
                return await owner.uniqueName
            }
            #expect(await changes.next() == NameOwnerChange(name: Clock.busName, old: nil, new: owner))
            #expect(await changes.next() == NameOwnerChange(name: Clock.busName, old: owner, new: nil))
            #expect(try await watcher.nameOwner(of: Clock.busName) == nil)
        }
    }

    @Test("Presence is reported at first, after each change of the owner, and after each signal") func presence()
        async throws
    {
        try await withBus { (watcher: Bus) async throws in
            let rings = MatchRule(sender: Clock.busName, member: Clock.rang.name)
            let presence = try await watcher.presence(of: Clock.busName, andSignals: rings)
            #expect(await presence.next() == false)
            try await withBus { (owner: Bus) async throws in
                _ = try await owner.requestName(Clock.busName)
                #expect(await presence.next() == true)
                try await owner.emit(Clock.rang, 1, from: Clock.path)
                #expect(await presence.next() == true)
            }
            #expect(await presence.next() == false)
            await watcher.close()
            #expect(await presence.next() == nil)
        }
    }

    @Test("A name that another connection takes over is reported as lost") func lostName() async throws {
        try await withBus { (first: Bus) async throws in
            let lost = try await first.lostNames()
            #expect(
                try await first.requestName(Clock.busName, flags: [.allowReplacement, .doNotQueue]) == .primaryOwner
            )
            #expect(
                try await first.requestName(Clock.busName, flags: [.allowReplacement, .doNotQueue]) == .alreadyOwner
            )
            try await withBus { (second: Bus) async throws in
                #expect(try await second.requestName(Clock.busName) == .exists)
                #expect(
                    try await second.requestName(Clock.busName, flags: [.replaceExisting, .doNotQueue]) == .primaryOwner
                )
                #expect(await lost.next() == Clock.busName)
                #expect(try await first.requestName(Clock.busName) == .exists)
                #expect(try await second.releaseName(Clock.busName))
                #expect(try await !second.releaseName(Clock.busName))
            }
        }
    }

    @Test("A thousand concurrent calls get their own replies") func concurrentCalls() async throws {
        try await withClock { (_, _, clock) async throws in
            let sum = try await withThrowingTaskGroup(of: UInt32.self) { group in
                for number in 1...1000 as ClosedRange<Int64> {
                    group.addTask { try await clock.call(Clock.setAlarm, number, "x") }
                }
                return try await group.reduce(0, +)
            }
            #expect(sum == 500_500)
        }
    }

    /// An actor's methods run in the order in which the calls arrived.
    @Test("Handlers start in the order of the calls") func handlerOrder() async throws {
        actor Log {
            var entries: [Int64] = []
            func append(_ entry: Int64) -> UInt32 {
                entries.append(entry)
                return UInt32(entries.count)
            }
        }
        let log = Log()
        try await withClock {
            $0.handle(Clock.setAlarm) { time, _ in await log.append(time) }
        } _: { (_, client, clock) async throws in
            for number in 1..<500 as Range<Int64> {
                var message = Message.methodCall(
                    Clock.busName,
                    Clock.path,
                    Clock.name,
                    Clock.setAlarm.name,
                    [.int64(number), .string("")]
                )
                message.noReplyExpected = true
                try await client.send(message)
            }
            #expect(try await clock.call(Clock.setAlarm, 500, "") == 500)
            #expect(await log.entries == Array(1...500))
        }
    }

    @Test("Large arrays arrive unchanged") func largeArrays() async throws {
        try await withClock { (server, client, _) async throws in
            let received = try await client.signals(matching: MatchRule(member: "Large"))
            let bytes = [UInt8]((0..<100_000).map { UInt8(truncatingIfNeeded: $0) })
            let words = (0..<10_000).map { Value.string("word \($0)") }
            for _ in 0..<20 {
                try await server.send(.signal("/", "a.b", "Large", [.bytes(bytes), .array(of: "s", words)]))
                #expect(await received.next()?.body == [.bytes(bytes), .array(of: "s", words)])
            }
        }
    }

    @Test("A call without reply to an unknown method gets no error") func noReply() async throws {
        try await withClock { (_, client, clock) async throws in
            var call = Message.methodCall(Clock.busName, Clock.path, Clock.name, "Nope")
            call.noReplyExpected = true
            let serial = try await client.send(call)
            #expect(serial > 0)
            #expect(try await clock.get(Clock.alarms) == 0)
        }
    }

    @Test("A removed object returns UnknownObject") func removedObject() async throws {
        try await withClock { (server, _, clock) async throws in
            await server.unexport(Clock.path)
            let error = await #expect(throws: DBusError.self) { try await clock.call(Clock.who) }
            #expect(error?.name == .unknownObject)
        }
    }
}
