import TestSupport
import Testing

@testable import Agent

@Suite(.timeLimit(.minutes(5))) struct ServiceManagerTests {
    @Test(
        "The environment names the socket and the watchdog's time",
        arguments: [
            ([:], nil, nil),
            (["NOTIFY_SOCKET": ""], nil, nil),
            (["NOTIFY_SOCKET": "/"], nil, nil),
            (["NOTIFY_SOCKET": "relative"], nil, nil),
            (["NOTIFY_SOCKET": "vsock:2:1234"], nil, nil),
            (["NOTIFY_SOCKET": "/" + String(repeating: "x", count: 107)], nil, nil),
            (["WATCHDOG_USEC": "2000000"], nil, nil),
            (["NOTIFY_SOCKET": "/run/notify"], "/run/notify", nil),
            (["NOTIFY_SOCKET": "@notify"], "@notify", nil),
            (["NOTIFY_SOCKET": "/n", "WATCHDOG_USEC": "2000000"], "/n", .seconds(1)),
            (["NOTIFY_SOCKET": "/n", "WATCHDOG_USEC": "2000000", "WATCHDOG_PID": "7"], "/n", .seconds(1)),
            // The variables of a service that this process is a child of.
            (["NOTIFY_SOCKET": "/n", "WATCHDOG_USEC": "2000000", "WATCHDOG_PID": "6"], "/n", nil),
            (["NOTIFY_SOCKET": "/n", "WATCHDOG_USEC": "0"], "/n", nil),
            (["NOTIFY_SOCKET": "/n", "WATCHDOG_USEC": "-5"], "/n", nil),
            (["NOTIFY_SOCKET": "/n", "WATCHDOG_USEC": "soon"], "/n", nil),
        ] as [([String: String], String?, Duration?)]
    )
    func environment(_ environment: [String: String], socket: String?, interval: Duration?) {
        let manager = ServiceManager(environment: environment, processID: 7)
        #expect(manager?.socket == socket)
        #expect(manager?.watchdogInterval == interval)
    }

    @Test("Notifications have the assignments of sd_notify(3)") func texts() {
        #expect(ServiceNotification.ready.text == "READY=1")
        #expect(ServiceNotification.status("2 accounts\nREADY=1\u{0}").text == "STATUS=2 accounts READY=1 ")
        let reloading = ServiceNotification.reloading(since: .seconds(3) + .nanoseconds(4_000_999))
        #expect(reloading.text == "RELOADING=1\nMONOTONIC_USEC=3004000")
        #expect(ServiceNotification.stopping.text == "STOPPING=1")
        #expect(ServiceNotification.watchdog.text == "WATCHDOG=1")
    }

    @Test("Notifications reach a socket in the file system and an abstract one", arguments: [false, true])
    func sending(isAbstract: Bool) async throws {
        let socket = try NotifySocket(isAbstract: isAbstract)
        let manager = try #require(ServiceManager(environment: ["NOTIFY_SOCKET": socket.address], processID: 1))
        manager.send(.ready)
        manager.send(.status("Grüße"))
        #expect(await socket.all == ["READY=1", "STATUS=Grüße"])
    }

    @Test("A service manager that is gone or does not read is ignored") func missing() async throws {
        let gone = try #require(ServiceManager(environment: ["NOTIFY_SOCKET": "/nonexistent/notify"], processID: 1))
        gone.send(.ready)
        let socket = try NotifySocket()
        let manager = try #require(ServiceManager(environment: ["NOTIFY_SOCKET": socket.address], processID: 1))
        // More than a socket holds.
        for _ in 0..<10_000 { manager.send(.watchdog) }
        #expect(await socket.all.count >= 1)
    }
}
