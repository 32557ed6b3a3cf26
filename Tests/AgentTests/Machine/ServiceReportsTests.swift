import Testing

@testable import Agent

@Suite struct ServiceReportsTests {
    @Test("Each report is made once, and none after the end has begun") func reports() {
        var reports = ServiceReports()
        let transcript: [(ServiceReports.Event, [ServiceNotification])] = [
            (.status("a"), [.status("a")]),
            (.reloading(since: .seconds(1)), []),
            (.reloaded, []),
            (.ready, [.ready]),
            (.ready, []),
            (.status("a"), []),
            (.status("b"), [.status("b")]),
            (.reloading(since: .seconds(2)), [.reloading(since: .seconds(2))]),
            (.reloading(since: .seconds(3)), []),
            (.status("c"), [.status("c")]),
            (.reloaded, [.ready]),
            (.reloaded, []),
            (.reloading(since: .seconds(4)), [.reloading(since: .seconds(4))]),
            (.stopping, [.stopping]),
            (.stopping, []),
            (.reloaded, []),
            (.status("d"), []),
            (.ready, []),
        ]
        for (number, (event, notifications)) in transcript.enumerated() {
            #expect(reports.receive(event) == notifications, "event \(number)")
        }
    }

    @Test(
        "The status names what is wrong",
        arguments: [
            (AgentStatus(), "No account is configured"),
            (AgentStatus(accounts: [account("work")]), "\"work\" is online"),
            (AgentStatus(accounts: [account("wo\nrk", isOnline: false)]), "\"wo rk\" is not online"),
            (
                AgentStatus(accounts: [account("work"), account("home", isOnline: false)], isPaused: true),
                "1 of 2 accounts are online; popups are paused"
            ),
            (
                AgentStatus(
                    accounts: ["a", "b", "c", "d"].map { account($0, isOnline: false, needsAttention: true) },
                    isConfigurationRejected: true
                ),
                """
                0 of 4 accounts are online; "a", "b", "c" and others cannot sign in, see feedbell status; not all of \
                the configuration is used, see feedbell status
                """
            ),
        ]
    )
    func sentence(of status: AgentStatus, is sentence: String) {
        #expect(status.sentence == sentence)
    }

    private static func account(
        _ name: String,
        isOnline: Bool = true,
        needsAttention: Bool = false
    ) -> AgentStatus.Account {
        AgentStatus.Account(name: name, isOnline: isOnline, needsAttention: needsAttention)
    }
}
