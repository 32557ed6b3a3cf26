import Basics
import DBus
import FoundationEssentials
import Logging
import TestSupport
import Testing

@testable import Agent

/// A click ends in exactly one opened page, or in an error, however the desktop portal answers.
@Suite(.sessionBus, .timeLimit(.minutes(5))) struct PortalOpenerTests {
    /// An opener besides the portal, which notes its arguments.
    private struct NextOpener {
        let program: String

        static func with<Result>(_ body: (NextOpener) async throws -> Result) async throws -> Result {
            let directory = FileManager.default.temporaryDirectory.appending(path: "feedbell-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: directory) }
            let program = directory.appending(path: "opener").path
            try Data("#!/bin/sh\necho \"$1\" >>\"$0.log\"\n".utf8).write(to: URL(filePath: program))
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
            return try await body(NextOpener(program: program))
        }

        /// What it has opened. It ends before ``URLOpener/open(_:token:asked:)`` returns.
        var opened: String {
            (try? Data(contentsOf: URL(filePath: program + ".log"))).map { String(decoding: $0, as: UTF8.self) } ?? ""
        }
    }

    private let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    private static let page = "https://example.com/x"

    private func open(
        on bus: Bus,
        _ next: NextOpener,
        token: String? = nil,
        asked: Completion = Completion()
    ) async -> Result<URLOpener.Method, URLOpener.Failure> {
        let opener = URLOpener(bus: bus, program: next.program, logger: logger)
        do throws(URLOpener.Failure) {
            return .success(try await opener.open(Self.page, token: token) { asked.finish() })
        } catch {
            return .failure(error)
        }
    }

    /// How a request ends that the portal answers in this way.
    private func end(after response: UInt32) -> Result<URLOpener.Method, URLOpener.Failure> {
        switch response {
        case 0: .success(.portal)
        case 1: .failure(.cancelledByUser)
        default: .success(.process)
        }
    }

    @Test(
        "The portal's answer decides: done, cancelled, or the next opener",
        arguments: [
            (.answers(0), 0), (.answers(1), 1), (.answers(2), 2), (.answersEarly(0), 0), (.answersEarly(1), 1),
            (.answersEarly(2), 2), (.choosesHandle(0), 0), (.choosesHandle(1), 1), (.choosesHandle(2), 2),
            (.refuses, 2),
        ] as [(PortalServer.Manner, UInt32)]
    )
    func answer(manner: PortalServer.Manner, response: UInt32) async throws {
        try await NextOpener.with { next in
            try await PortalServer.with(manner) { portal, _ in
                let end = try await withBus { await open(on: $0, next, token: "t") }
                #expect(end == self.end(after: response) && next.opened == (response == 2 ? Self.page + "\n" : ""))
                let request = await portal.requests.next()
                #expect(request?.url == Self.page && request?.token == "t")
            }
        }
    }

    @Test(
        "While the portal asks the user, nothing else opens the page, for as long as the user takes",
        arguments: [0, 1, 2] as [UInt32]
    )
    func slowUser(response: UInt32) async throws {
        try await NextOpener.with { next in
            try await PortalServer.with(.asksUser) { portal, _ in
                let clock = ManualClock()
                try await withBus(clock: clock) { client in
                    let asked = Completion()
                    async let opening = open(on: client, next, asked: asked)
                    let request = try #require(await portal.requests.next())
                    await asked.wait()
                    // All timeouts of calls have passed.
                    clock.advance(by: .seconds(3_600))
                    #expect(next.opened == "")
                    try await portal.respond(response, to: request)
                    let end = await opening
                    #expect(end == self.end(after: response) && next.opened == (response == 2 ? Self.page + "\n" : ""))
                }
            }
        }
    }

    @Test(
        "A portal that ends while it has a request may have opened the page: nothing else does",
        arguments: [true, false]
    )
    func portalEnds(hasReplied: Bool) async throws {
        try await NextOpener.with { next in
            try await withBus { client in
                try await PortalServer.with(hasReplied ? .asksUser : .isSilent) { portal, bus in
                    let asked = Completion()
                    async let opening = open(on: client, next, asked: asked)
                    _ = await portal.requests.next()
                    if hasReplied { await asked.wait() }
                    await bus.close()
                    let end = await opening
                    #expect(end == .failure(.unanswered) && next.opened == "")
                }
            }
        }
    }

    /// The bus starts a portal that never gets ready.
    @Test("A portal that shows no sign of life is asked for nothing: the next opener opens the page") func notReady()
        async throws
    {
        let service = "[D-BUS Service]\nName=org.freedesktop.portal.Desktop\nExec=/bin/sleep 30\n"
        try await SessionBus.running(serviceFiles: ["org.freedesktop.portal.Desktop.service": service]) {
            try await NextOpener.with { next in
                let clock = ManualClock()
                try await withBus(clock: clock) { client in
                    async let opening = open(on: client, next)
                    await clock.sleeper(for: .seconds(10))
                    clock.advance(by: .seconds(10))
                    let end = await opening
                    #expect(end == .success(.process) && next.opened == Self.page + "\n")
                }
            }
        }
    }

    @Test("Who gives up withdraws the request, and nothing else opens the page") func withdrawal() async throws {
        try await NextOpener.with { next in
            try await PortalServer.with(.asksUser) { portal, _ in
                try await withBus { client in
                    let asked = Completion()
                    let end = await withTaskGroup(of: Result<URLOpener.Method, URLOpener.Failure>.self) { group in
                        group.addTask { await open(on: client, next, asked: asked) }
                        await asked.wait()
                        group.cancelAll()
                        return await group.next()
                    }
                    #expect(end == .failure(.unanswered))
                    let request = await portal.requests.next()
                    #expect(await portal.withdrawn.next() == request?.handle)
                    #expect(next.opened == "")
                }
            }
        }
    }
}

/// The request as a value.
@Suite struct PortalRequestTests {
    static let expected: ObjectPath = "/org/freedesktop/portal/desktop/request/1_2/feedbell_1"
    static let other: ObjectPath = "/org/freedesktop/portal/desktop/request/7"

    @Test(
        "Only the request's own answer ends it, and no answer leaves it open what happened",
        arguments: [
            ([.accepted(expected)], nil), ([.response(0, expected)], .done),
            ([.response(1, expected)], .cancelledByUser),
            ([.response(2, expected)], .failed), ([.response(99, expected)], .failed), ([.response(0, other)], nil),
            ([.response(0, nil)], nil), ([.accepted(expected), .response(0, other)], nil),
            ([.response(2, other), .accepted(other)], .failed), ([.accepted(other), .response(0, other)], .done),
            ([.accepted(other), .response(0, expected)], .done), ([.portalEnded], .unanswered),
            ([.accepted(expected), .portalEnded], .unanswered),
            ([.refused(DBusError(.noReply, ""))], .unanswered), ([.refused(DBusError(.timeout, ""))], .unanswered),
            ([.refused(DBusError(.failed, ""))], .failed), ([.refused(DBusError(.serviceUnknown, ""))], .failed),
            ([.refused(DBusError(.unknownMethod, ""))], .failed), ([.refused(DBusError(.accessDenied, ""))], .failed),
        ] as [([PortalRequest.Event], PortalRequest.End?)]
    )
    func events(events: [PortalRequest.Event], end: PortalRequest.End?) {
        var request = PortalRequest(expected: Self.expected)
        #expect(events.map { request.receive($0) }.last == .some(end))
    }
}
