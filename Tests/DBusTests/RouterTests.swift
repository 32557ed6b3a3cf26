import Testing

@testable import DBus

/// The decisions of the router, without a bus.
@Suite struct RouterTests {
    /// The result of a handler: one `u`.
    private static let number = EncodedBody("u", BodyEncoder())

    private func signal(_ member: MemberName, from sender: BusName, _ body: [Value] = []) -> Message {
        var message = Message.signal("/a", "a.b", member, body)
        message.sender = sender
        return message
    }

    private func ownerChanged(_ name: String, _ old: String, _ new: String) -> Message {
        var message = Message.signal(
            BusInterface.path,
            BusInterface.name,
            BusInterface.nameOwnerChanged.name,
            [.string(name), .string(old), .string(new)]
        )
        message.sender = .bus
        return message
    }

    private func call(
        _ path: ObjectPath,
        _ interface: InterfaceName?,
        _ member: MemberName,
        _ body: [Value] = [],
        silent: Bool = false
    ) -> Message {
        var message = Message.methodCall(":1.1", path, interface, member, body)
        message.sender = ":1.9"
        message.serial = 77
        message.noReplyExpected = silent
        return message
    }

    /// The bus replies at once with the owner of `org.x.Y`.
    private func answer(_ owner: BusName?, _ router: inout Router) -> [Router.Effect] {
        router.ownerWas(owner, of: "org.x.Y", after: router.ownerChanges(of: "org.x.Y"))
    }

    /// One line for each effect, easy to compare.
    private func lines(_ effects: [Router.Effect]) -> [String] {
        effects.map { effect in
            switch effect {
            case .complete(let id, .success(let message)): "complete \(id) \(message.signature)"
            case .complete(let id, .failure(let error)): "fail \(id) \(error.name)"
            case .deliver(let id, let message): "deliver \(id) \(message.member?.text ?? "")"
            case .owner(let id, let change): "owner \(id) \(change.old?.text ?? "-") \(change.new?.text ?? "-")"
            case .invoke(let invocation): "invoke \(invocation.path) \(invocation.target)"
            case .followCaller(let caller): "follow \(caller)"
            case .send(let message):
                switch message.kind {
                case .methodReturn:
                    "return \(message.replySerial ?? 0) \(message.destination?.text ?? "") \(message.signature)"
                case .error: "error \(message.errorName?.text.split(separator: ".").last ?? "")"
                case .signal: "signal \(message.path?.text ?? "") \(message.member?.text ?? "") \(message.signature)"
                case .methodCall: "call"
                }
            }
        }
    }

    private func router(maximumInvocations: Int = 2) -> Router {
        var router = Router(machineID: "0123", maximumInvocations: maximumInvocations)
        var object = Clock.object()
        object.handle(Clock.setAlarm) { _, _ in 0 }
        object.onSet(Clock.label) { _, _ in }
        _ = router.export(object.record, at: object.path)
        return router
    }

    // MARK: Replies

    @Test("A reply completes the call with its serial, once") func replies() {
        var router = Router()
        router.called(5, 1)
        router.called(6, 2)
        router.called(7, 3)
        var reply = Message(.methodReturn, body: [.byte(1)])
        reply.replySerial = 6
        #expect(lines(router.receive(reply)) == ["complete 2 y"])
        #expect(router.receive(reply) == [], "a second reply")
        reply.replySerial = 5
        router.discard(5)
        #expect(router.receive(reply) == [], "a late reply")
        var refusal = Message(.error, body: [.string("no")])
        refusal.replySerial = 7
        refusal.errorName = .failed
        #expect(router.receive(refusal) == [.complete(3, .failure(DBusError(.failed, "no")))])
        refusal.replySerial = 99
        #expect(router.receive(refusal) == [])
        refusal.replySerial = nil
        #expect(router.receive(refusal) == [])
    }

    @Test("An unreadable reply fails its call, an unreadable call gets an error") func unreadableMessages() {
        var router = Router()
        router.called(5, 1)
        var reply = Message(.methodReturn, body: [])
        reply.replySerial = 5
        let unreadable: (inout Message) throws(DBusError) -> Void = { (_) throws(DBusError) in
            throw DBusError(.notSupported, "")
        }
        #expect(lines(router.receive(reply, decode: unreadable)) == ["fail 1 \(ErrorName.notSupported)"])
        #expect(lines(router.receive(call("/", nil, "Introspect"), decode: unreadable)) == ["error NotSupported"])
        router.listen(1, MatchRule(member: "S"))
        #expect(router.receive(signal("S", from: ":1.1"), decode: unreadable) == [])
    }

    /// Whether the router decodes the arguments of a message.
    private func decodes(_ message: Message, _ router: inout Router) -> Bool {
        var isDecoded = false
        _ = router.receive(message) { _ in isDecoded = true }
        return isDecoded
    }

    @Test("Arguments are decoded only if the message has a receiver, and a method takes them") func undecoded() {
        var router = router(maximumInvocations: 100)
        let alarm: [Value] = [.int64(1), .string("a")]
        let properties = PropertiesInterface.name
        let calls: [(Message, isDecoded: Bool)] = [
            (call(Clock.path, Clock.name, "SetAlarm", alarm), true),
            (call(Clock.path, Clock.name, "SetAlarm", [.string("a")]), false),
            (call(Clock.path, Clock.name, "Sing", alarm), false),
            (call(Clock.path, "org.example.Other", "SetAlarm", alarm), false),
            (call(Clock.path, nil, "Sing", alarm), false),
            (call("/nothing", Clock.name, "SetAlarm", alarm), false),
            (call(Clock.path, properties, "Get", [.string(""), .string("Alarms")]), true),
            (call(Clock.path, properties, "Get", [.string("")]), false),
            (call(Clock.path, PeerInterface.name, "Ping", alarm), false),
        ]
        for (message, isDecoded) in calls { #expect(decodes(message, &router) == isDecoded, "\(message)") }

        router.called(5, 1)
        var reply = Message(.methodReturn, body: [])
        reply.replySerial = 6
        #expect(!decodes(reply, &router))
        reply.replySerial = 5
        #expect(decodes(reply, &router))

        router.listen(2, MatchRule(sender: ":1.1", member: "A", arg0: "a"))
        #expect(decodes(signal("A", from: ":1.1"), &router))
        #expect(!decodes(signal("B", from: ":1.1"), &router))
        #expect(!decodes(signal("A", from: ":1.2"), &router))
    }

    // MARK: Signals

    @Test("Signals are delivered to the matching listeners in the order of registration") func listenerOrder() {
        var router = Router()
        router.listen(1, MatchRule(member: "A"))
        router.listen(2, MatchRule())
        #expect(lines(router.receive(signal("A", from: ":1.1"))) == ["deliver 1 A", "deliver 2 A"])
        #expect(lines(router.receive(signal("B", from: ":1.1"))) == ["deliver 2 B"])
        router.removeListener(2)
        #expect(lines(router.receive(signal("A", from: ":1.1"))) == ["deliver 1 A"])
        router.removeListener(2)
    }

    @Test("A rule with a well-known sender follows the owner of the name") func wellKnownSender() {
        var router = Router()
        router.listen(1, MatchRule(sender: "org.x.Y"))
        #expect(router.receive(signal("A", from: ":1.1")) == [], "the owner is unknown")
        #expect(answer(":1.1", &router) == [])
        #expect(lines(router.receive(signal("A", from: ":1.1"))) == ["deliver 1 A"])
        #expect(router.receive(signal("A", from: ":1.2")) == [])
        #expect(router.receive(ownerChanged("org.x.Y", ":1.1", ":1.2")) == [])
        #expect(router.receive(signal("A", from: ":1.1")) == [])
        #expect(lines(router.receive(signal("A", from: ":1.2"))) == ["deliver 1 A"])
        #expect(router.receive(ownerChanged("org.x.Y", ":1.2", "")) == [])
        #expect(router.receive(signal("A", from: ":1.2")) == [])
        router.removeListener(1)
        #expect(answer(":1.1", &router) == [], "no listener is left")
    }

    @Test("Owners are reported once and on each change") func owners() {
        var router = Router()
        router.watchOwner(1, of: "org.x.Y")
        #expect(lines(answer(nil, &router)) == ["owner 1 - -"])
        #expect(lines(router.receive(ownerChanged("org.x.Y", "", ":1.1"))) == ["owner 1 - :1.1"])
        #expect(answer(":1.1", &router) == [])
        router.watchOwner(2, of: "org.x.Y")
        #expect(lines(answer(":1.1", &router)) == ["owner 2 - :1.1"])
        #expect(lines(router.receive(ownerChanged("org.x.Y", ":1.1", ""))) == ["owner 1 :1.1 -", "owner 2 :1.1 -"])
        #expect(router.receive(ownerChanged("org.x.Z", ":1.1", "")) == [])
    }

    /// A signal that arrives after the call is newer than the reply.
    @Test("A GetNameOwner reply older than a signal is ignored") func staleOwner() {
        var router = router()
        router.watchOwner(1, of: "org.x.Y")
        let changes = router.ownerChanges(of: "org.x.Y")
        #expect(lines(router.receive(ownerChanged("org.x.Y", "", ":1.1"))) == ["owner 1 - :1.1"])
        #expect(router.ownerWas(nil, of: "org.x.Y", after: changes) == [])
        router.listen(2, MatchRule(sender: "org.x.Y"))
        #expect(lines(router.receive(signal("C", from: ":1.1"))) == ["deliver 2 C"])
    }

    @Test("NameOwnerChanged is accepted only from the bus") func forgedOwners() {
        var router = Router()
        router.watchOwner(1, of: "org.x.Y")
        _ = answer(":1.1", &router)
        var forged = ownerChanged("org.x.Y", ":1.1", ":1.6")
        forged.sender = ":1.6"
        #expect(router.receive(forged) == [])
        var odd = ownerChanged("not a name", "", "")
        #expect(router.receive(odd) == [])
        odd.body = []
        #expect(router.receive(odd) == [])
    }

    // MARK: Calls of others

    @Test("An invalid call gets the standard error, or none if it expects no reply") func standardErrors() {
        var router = router()
        let cases: [(Message, String)] = [
            (call("/nowhere", "a.b", "M"), "error UnknownObject"),
            (call(Clock.path, "a.b", "M"), "error UnknownInterface"),
            (call(Clock.path, Clock.name, "M"), "error UnknownMethod"),
            (call(Clock.path, nil, "M"), "error UnknownMethod"),
            (call(Clock.path, Clock.name, "Rang"), "error UnknownMethod"),
            (call(Clock.path, Clock.name, "SetAlarm", [.string("")]), "error InvalidArgs"),
            (call(Clock.path, Clock.name, "SetAlarm"), "error InvalidArgs"),
            (call(Clock.path, Clock.name, "Stop"), "error NotSupported"),
            (
                call(Clock.path, PropertiesInterface.name, "Get", [.string(""), .string("Nope")]),
                "error UnknownProperty"
            ),
            (
                call(Clock.path, PropertiesInterface.name, "Get", [.string("a.b"), .string("Alarms")]),
                "error UnknownInterface"
            ),
            (call(Clock.path, PropertiesInterface.name, "Get", [.string("")]), "error InvalidArgs"),
            (call(Clock.path, PropertiesInterface.name, "GetAll", [.string("a.b")]), "error UnknownInterface"),
            (call(Clock.path, PropertiesInterface.name, "Nope"), "error UnknownMethod"),
            (call(Clock.path, PropertiesInterface.name, "Set", [.string("")]), "error InvalidArgs"),
            (set("Alarms", .uint32(1)), "error PropertyReadOnly"),
            (set("Label", .uint32(1)), "error InvalidArgs"),
            (set("Nope", .uint32(1)), "error UnknownProperty"),
            (call(Clock.path, ObjectManagerInterface.name, "GetManagedObjects"), "error UnknownInterface"),
            (call("/any", PeerInterface.name, "Nope"), "error UnknownMethod"),
            (call("/any", PeerInterface.name, "Ping", [.byte(1)]), "error InvalidArgs"),
            (call("/org", PropertiesInterface.name, "GetAll", [.string("")]), "error UnknownInterface"),
        ]
        for (message, line) in cases {
            #expect(lines(router.receive(message)) == [line], "\(message)")
            var silent = message
            silent.noReplyExpected = true
            #expect(router.receive(silent) == [], "\(message)")
        }
    }

    private func set(_ name: String, _ value: Value) -> Message {
        call(Clock.path, PropertiesInterface.name, "Set", [.string(Clock.name.text), .string(name), .variant(value)])
    }

    @Test("Peer, Introspectable and Properties are implemented for each object") func standardInterfaces() {
        var router = router()
        #expect(lines(router.receive(call("/any", PeerInterface.name, "Ping"))) == ["return 77 :1.9 "])
        #expect(lines(router.receive(call(Clock.path, nil, "Ping"))) == ["return 77 :1.9 "])
        #expect(lines(router.receive(call("/any", PeerInterface.name, "GetMachineId"))) == ["return 77 :1.9 s"])
        #expect(lines(router.receive(call("/org", nil, "Introspect"))) == ["return 77 :1.9 s"])
        #expect(
            lines(router.receive(call(Clock.path, nil, "Get", [.string(""), .string("Alarms")]))) == [
                "return 77 :1.9 v"
            ]
        )
        #expect(lines(router.receive(call(Clock.path, nil, "GetAll", [.string("")]))) == ["return 77 :1.9 a{sv}"])
        let peer = call(Clock.path, nil, "GetAll", [.string(PeerInterface.name.text)])
        #expect(lines(router.receive(peer)) == ["return 77 :1.9 a{sv}"])
    }

    @Test("Calls over the limit are refused until a handler ends") func invocationLimit() {
        var router = router()
        let alarm = call(Clock.path, nil, "SetAlarm", [.int64(1), .string("a")])
        let invocation = ["invoke /org/example/Clock1 method(org.example.Clock1, SetAlarm)"]
        #expect(lines(router.receive(alarm)) == invocation)
        #expect(lines(router.receive(alarm)) == invocation)
        #expect(lines(router.receive(alarm)) == ["error LimitsExceeded"])
        #expect(lines(router.finished(alarm, .success(Self.number))) == ["return 77 :1.9 u"])
        #expect(lines(router.receive(alarm)) == invocation)
        #expect(lines(router.finished(alarm, .failure(DBusError(.failed, "")))) == ["error Failed"])
        var silent = alarm
        silent.noReplyExpected = true
        #expect(router.finished(silent, .success(Self.number)) == [])
        #expect(router.invocations == 0)
    }

    @Test("Calls of one caller over its limit wait and do not delay other callers") func limitPerCaller() {
        var router = router(maximumInvocations: 200)
        let alarm = call(Clock.path, nil, "SetAlarm", [.int64(1), .string("a")])
        var other = alarm
        other.sender = ":1.10"
        let begun = (0..<40).flatMap { _ in lines(router.receive(alarm)) }
        #expect(begun.count(where: { $0.hasPrefix("invoke") }) == Router.maximumPerCaller)
        #expect(begun.last == "follow :1.9", "once")
        #expect(router.receive(other).count == 1)
        #expect(router.invocations == 41)
        #expect(router.finished(other, .success(Self.number)).count == 1, "the answer alone")
        for left in (0..<40).reversed() {
            #expect(lines(router.finished(alarm, .success(Self.number))).count == (left >= 32 ? 2 : 1))
        }
        #expect(router.invocations == 0)
        #expect(router.receive(alarm).count == 1)
    }

    @Test("One caller cannot occupy all calls, by their number or by the size of their arguments") func boundPerCaller()
    {
        for (size, expected) in [(0, 1024), (1 << 20, 8)] {
            var router = Router()
            _ = router.export(
                {
                    var object = Clock.object()
                    object.handle(Clock.setAlarm) { _, _ in 0 }
                    return object.record
                }(),
                at: Clock.path
            )
            var alarm = call(Clock.path, nil, "SetAlarm", [.int64(1), .string("a")])
            alarm.size = size
            for _ in 0..<2000 {
                let effects = lines(router.receive(alarm))
                if effects.contains("error LimitsExceeded") { break }
            }
            #expect(router.invocations == expected)
            alarm.sender = ":1.10"
            #expect(lines(router.receive(alarm)).first?.hasPrefix("invoke") == true, "another caller is served")
        }
    }

    @Test("However many callers take all they get, each further one is served", arguments: [4, 200])
    func boundOfAll(greedy: Int) {
        var router = router(maximumInvocations: 4096)
        var alarm = call(Clock.path, nil, "SetAlarm", [.int64(1), .string("a")])
        for number in 0..<greedy {
            alarm.sender = try? BusName(":2.\(number)")
            for _ in 0..<1100 where lines(router.receive(alarm)).contains("error LimitsExceeded") { break }
        }
        for number in 0..<50 {
            alarm.sender = try? BusName(":3.\(number)")
            #expect(lines(router.receive(alarm)).first?.hasPrefix("invoke") == true)
        }
    }

    @Test("The waiting calls of a caller that has left are dropped, except those that expect no reply")
    func vanishedCaller() {
        var router = router(maximumInvocations: 200)
        let alarm = call(Clock.path, nil, "SetAlarm", [.int64(1), .string("a")])
        var silent = alarm
        silent.noReplyExpected = true
        for _ in 0..<50 { _ = router.receive(alarm) }
        _ = router.receive(silent)
        #expect(router.invocations == 51)
        router.vanished(":1.9")
        #expect(router.invocations == 33)
        let next = router.finished(alarm, .success(Self.number))
        guard case .invoke(let invocation)? = next.last else {
            Issue.record("the call without reply was dropped")
            return
        }
        #expect(invocation.message.noReplyExpected)
        for _ in 0..<31 { #expect(router.finished(alarm, .success(Self.number)).count == 1) }
        #expect(router.finished(silent, .success(Self.number)) == [])
        #expect(router.invocations == 0)
    }

    @Test("A property without a setter is changed at once and announced if it differs") func setProperty() {
        var router = router()
        #expect(lines(router.receive(set("Label", .string("x")))).first?.hasPrefix("invoke") == true)
        #expect(
            lines(router.receive(set("Zone", .uint32(9)))) == [
                "signal /org/example/Clock1 PropertiesChanged sa{sv}as", "return 77 :1.9 ",
            ]
        )
        #expect(lines(router.receive(set("Zone", .uint32(9)))) == ["return 77 :1.9 "], "no change")
        #expect(router.tree.objects[Clock.path]?[MemberKey(interface: Clock.name, member: "Zone")] == .uint32(9))
    }

    @Test("Changes of one turn are one signal") func signalPerTurn() throws {
        var router = router()
        func key(_ member: MemberName) -> MemberKey { MemberKey(interface: Clock.name, member: member) }
        let effects = router.update(
            Clock.path,
            [
                (key("Alarms"), .uint32(1)), (key("Alarms"), .uint32(2)), (key("Label"), .string("tea")),
                (key("Zone"), .uint32(5)),
                (key("Zone"), .uint32(6)), (key("Model"), .string("tin")), (key("Ticks"), .uint32(8)),
                (key("Nope"), .uint32(8)),
                (key("Label"), .byte(1)),
            ]
        )
        let changed: Value = ["Alarms": Value.uint32(2)].dbusValue
        let arguments = try EncodedBody([.string(Clock.name.text), changed, .array(of: "s", [.string("Zone")])])
        let expected = Message.signal(Clock.path, PropertiesInterface.name, "PropertiesChanged").with(arguments)
        #expect(effects == [.send(expected)])
        let object = router.tree.objects[Clock.path]
        #expect(object?[key("Model")] == .string("brass"))
        #expect(object?[key("Ticks")] == .uint32(8))
        #expect(object?[key("Label")] == .string("tea"))
        #expect(router.update("/nowhere", [(key("Alarms"), .uint32(1))]) == [])
    }

    @Test("The nearest object manager emits the signals") func objectManager() {
        var router = router()
        router.tree.managers = ["/org", "/org/example/Sub"]
        let path: ObjectPath = "/org/example/Sub/a"
        let record = Clock.object(at: path).record
        #expect(lines(router.export(record, at: path)) == ["signal /org/example/Sub InterfacesAdded oa{sa{sv}}"])
        #expect(lines(router.unexport(Clock.path)) == ["signal /org InterfacesRemoved oas"])
        #expect(router.unexport(Clock.path) == [])
        #expect(
            lines(router.export(record, at: path)) == [
                "signal /org/example/Sub InterfacesRemoved oas", "signal /org/example/Sub InterfacesAdded oa{sa{sv}}",
            ],
            "in place of the one there"
        )
        #expect(lines(router.receive(call("/org", nil, "GetManagedObjects"))) == ["return 77 :1.9 a{oa{sa{sv}}}"])
    }

    @Test("Introspection lists the nodes one level below") func tree() {
        var router = router()
        _ = router.export(ObjectRecord(), at: "/org/other")
        router.tree.managers = ["/zoo"]
        #expect(router.tree.describe("/").children == ["org", "zoo"])
        #expect(router.tree.describe("/org").children == ["example", "other"])
        #expect(router.tree.describe(Clock.path).children == [])
        #expect(router.tree.describe(Clock.path).interface(Clock.name)?.outline == Clock.description.outline)
        #expect(router.tree.describe("/zoo").interface(ObjectManagerInterface.name) != nil)
    }
}
