import Basics
import DBus
import Inbox
import Logging
import TestSupport
import Testing

@testable import Agent

/// A server that would discard popups during its do-not-disturb, whose state is known sooner than what the previous run
/// has shown.
@Suite(.sessionBus, .timeLimit(.minutes(5))) struct EarlyQuietStateTests {
    @Test("Popups are shown at a server whose do-not-disturb was known before the state file was read") func known()
        async throws
    {
        let titles = Mailbox<String>()
        var server = ExportedObject(FreedesktopNotifications.path)
        server.handle(FreedesktopNotifications.getServerInformation) {
            ("lxqt-notificationd", "lxqt.org", "2.1.0", "1.2")
        }
        server.handle(FreedesktopNotifications.getCapabilities) { ["actions", "body"] }
        server.handle(FreedesktopNotifications.notify) { _, _, _, title, _, _, _, _ in
            titles.send(title)
            return 1
        }
        try await withBus { [server] bus in
            try await bus.export(server)
            _ = try await bus.requestName(FreedesktopNotifications.busName)
            let owner = try #require(try await bus.nameOwner(of: FreedesktopNotifications.busName))
            let presenter = PopupPresenter(
                bus: bus,
                store: StateStore(),
                policy: PopupPolicy(),
                environment: AgentEnvironment(),
                logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
            )
            await presenter.quietStateBecameKnown(of: owner)
            await withTaskGroup { group in
                group.addTask { try? await presenter.run { _ in } }
                let notification = Notification.sample("n1", title: "Nr 1")
                await presenter.receive(
                    .arrived(account: "work", [notification], isCatchUp: false, now: notification.created)
                )
                #expect(await titles.messages.next() == "Nr 1")
                group.cancelAll()
            }
        }
    }
}
