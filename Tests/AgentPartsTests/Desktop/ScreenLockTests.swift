import DBus
import Logging
import TestSupport
import Testing

@testable import Agent

/// With logind and GNOME Shell simulated by python-dbusmock.
@Suite(.sessionBus, .timeLimit(.minutes(5))) struct ScreenLockTests {
    private let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    /// Runs a lock over both buses of the test, and passes its states to `body`.
    private func follow(sessionID: String? = nil, _ body: (AsyncStream<Bool>) async throws -> Void) async throws {
        try await withBus { session in
            let system = SystemBus(.address(SessionBus.systemAddress), logger: logger)
            let lock = ScreenLock(systemBus: system, sessionBus: session, sessionID: sessionID, logger: logger)
            let (states, state) = AsyncStream<Bool>.makeStream()
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { await system.run() }
                group.addTask { await lock.run { state.yield($0) } }
                try await body(states)
                group.cancelAll()
            }
        }
    }

    private func addSession(_ id: String, to logind: DBusMock) async throws {
        let body: [Value] = [.string(id), .string("seat0"), .uint32(1000), .string("anna"), .bool(true)]
        try await logind.call("/org/freedesktop/login1", "org.freedesktop.DBus.Mock", "AddSession", body)
    }

    private func lock(_ id: String, _ isLocked: Bool, at logind: DBusMock) async throws {
        let path = try ObjectPath("/org/freedesktop/login1/session/\(id)")
        try await logind.call(path, "org.freedesktop.login1.Session", "SetLockedHint", [.bool(isLocked)])
    }

    @Test("The lock follows the hint of our logind session and of no other one", arguments: ["c1", nil]) func logind(
        sessionID: String?
    ) async throws {
        try await SessionBus.withSystemBus {
            try await follow(sessionID: sessionID) { states in
                try await DBusMock.logind { logind in
                    let own = sessionID ?? "auto"
                    try await addSession("c7", to: logind)
                    try await addSession(own, to: logind)
                    // The lock of another session is ignored.
                    try await lock("c7", true, at: logind)
                    try await lock(own, true, at: logind)
                    #expect(await states.next() == true)
                    try await lock("c7", false, at: logind)
                    try await lock(own, false, at: logind)
                    #expect(await states.next() == false)
                    try await lock(own, true, at: logind)
                    #expect(await states.next() == true)
                }
                #expect(await states.next() == false, "no source is left")
            }
        }
    }

    @Test("The session is locked while logind or a screen saver reports it") func screenSaverAndLogind() async throws {
        try await SessionBus.withSystemBus {
            try await DBusMock.logind { logind in
                try await addSession("auto", to: logind)
                try await lock("auto", true, at: logind)
                try await follow { states in
                    #expect(await states.next() == true, "it was locked before")
                    try await gnome { saver in
                        try await activate(saver, true)
                        try await lock("auto", false, at: logind)
                        try await activate(saver, false)
                        #expect(await states.next() == false)
                        try await activate(saver, true)
                        #expect(await states.next() == true)
                    }
                    #expect(await states.next() == false)
                }
            }
        }
    }

    @Test("Without a system bus, the screen saver is followed") func noSystemBus() async throws {
        try await follow { states in
            try await gnome { saver in
                try await activate(saver, true)
                #expect(await states.next() == true)
            }
            #expect(await states.next() == false)
        }
    }

    @Test("A screen saver may export its object at a legacy path") func legacyPath() async throws {
        try await follow { states in
            let name = "org.freedesktop.ScreenSaver"
            try await DBusMock.running([name, "/ScreenSaver", name], name: BusName(name), on: SessionBus.address) {
                saver in
                let method: [Value] = [
                    .string(name), .string("GetActive"), .string(""), .string("b"), .string("ret = True"),
                ]
                try await saver.call("/ScreenSaver", "org.freedesktop.DBus.Mock", "AddMethod", method)
                try await saver.emit("/ScreenSaver", "org.freedesktop.ScreenSaver", "ActiveChanged", "b", [.bool(true)])
                #expect(await states.next() == true)
            }
        }
    }

    private func gnome(_ body: (DBusMock) async throws -> Void) async throws {
        try await DBusMock.running(
            ["--template", "gnome_screensaver"],
            name: "org.gnome.ScreenSaver",
            on: SessionBus.address,
            body
        )
    }

    private func activate(_ saver: DBusMock, _ isActive: Bool) async throws {
        try await saver.call("/org/gnome/ScreenSaver", "org.gnome.ScreenSaver", "SetActive", [.bool(isActive)])
    }
}
