import Testing

@testable import AgentInterface
@testable import DBus

/// What programs that show inboxes learn of the agent: its signals in, reports out.
@Suite struct AgentStateTests {
    private static let work = AgentNames.accountPath("work")

    /// The agent's properties were sent as number 10, those of its accounts as number 20.
    private static let state = AgentState(
        AgentSnapshot(
            owner: ":1.1",
            agent: (10, PropertyValues(["Accounts": Value([work]), "Paused": .bool(false)])),
            accounts: (20, [work: object(unread: 1)])
        )
    )

    private static func object(unread: UInt32) -> [String: [String: Value]] {
        [AgentAccount.name.text: ["Name": .string("work")], AgentInbox.name.text: ["UnreadCount": .uint32(unread)]]
    }

    private func signal<I: Interface, each A>(
        _ signal: InterfaceSignal<I, (repeat each A)>,
        _ serial: UInt32,
        at path: ObjectPath = work,
        from sender: BusName = ":1.1",
        _ arguments: repeat each A
    ) -> Message {
        var message = Message.signal(path, I.name, signal.name, signal.arguments.values((repeat each arguments)))
        (message.serial, message.sender) = (serial, sender)
        return message
    }

    private func changed(
        _ interface: InterfaceName,
        _ values: [String: Value],
        _ serial: UInt32,
        at path: ObjectPath = work,
        from sender: BusName = ":1.1"
    ) -> Message {
        signal(PropertiesInterface.propertiesChanged, serial, at: path, from: sender, interface.text, values, [])
    }

    @Test("Properties in a signal that is older than the reply, or of another program, change nothing") func older() {
        var state = Self.state
        #expect(state.receive(changed(AgentInbox.name, ["UnreadCount": .uint32(9)], 20)) == nil)
        #expect(state.receive(changed(AgentInbox.name, ["UnreadCount": .uint32(9)], 21, from: ":1.2")) == nil)
        #expect(state.receive(changed(AgentRoot.name, ["Paused": .bool(true)], 10, at: AgentNames.agentPath)) == nil)
        let expected = AgentState.Result.report(.accounts([AccountState(Self.object(unread: 2))]))
        #expect(state.receive(changed(AgentInbox.name, ["UnreadCount": .uint32(2)], 21)) == expected)
        let root = state.receive(changed(AgentRoot.name, ["Paused": .bool(true)], 11, at: AgentNames.agentPath))
        guard case .report(.root(let properties)) = root else {
            Issue.record("not reported")
            return
        }
        #expect(PopupPause(properties) == PopupPause(isPaused: true))
    }

    @Test("A notification that arrived before the reply is reported") func arrived() {
        var state = Self.state
        let row = RowID(account: "work", id: "n1")
        #expect(state.receive(signal(AgentInbox.notificationArrived, 5, "n1", [:])) == .report(.arrived(row)))
        #expect(
            state.receive(signal(AgentInbox.notificationRemoved, 30, "n1"))
                == .report(.changed(account: "work", ids: ["n1"]))
        )
        #expect(state.receive(signal(AgentInbox.notificationRemoved, 30, at: "/x", "n1")) == nil)
    }

    @Test("Other accounts, or another order of them, are read again") func accounts() {
        var state = Self.state
        let order = changed(AgentRoot.name, ["Accounts": Value([Self.work])], 21, at: AgentNames.agentPath)
        #expect(state.receive(order) == .readAgain)
        let added = signal(ObjectManagerInterface.interfacesAdded, 21, at: AgentNames.agentPath, "/home", [:])
        #expect(state.receive(added) == .readAgain)
    }
}
