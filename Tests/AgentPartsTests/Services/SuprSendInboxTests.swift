import Basics
import ClientKit
import Inbox
import Logging
import Testing

@testable import Agent

@Suite(.timeLimit(.minutes(5))) struct SuprSendInboxTests {
    private final class Follower: Sendable {
        let hasReport = Completion()
    }

    private struct Ended {
        let inbox: any InboxService
        weak var follower: Follower?
    }

    private func followed(_ inbox: any InboxService) async -> Ended {
        let follower = Follower()
        await withTaskGroup { group in
            group.addTask { await inbox.run(after: DeliveryMarks()) { _ in follower.hasReport.finish() } }
            await follower.hasReport.wait()
            group.cancelAll()
        }
        return Ended(inbox: inbox, follower: follower)
    }

    /// An account that is removed from the configuration must not stay in memory.
    @Test("An inbox that has ended does not retain its follower") func retention() async throws {
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let transport = NIOTransport(options: TransportOptions(), logger: logger)
        let nowhere = "http://127.0.0.1:1"
        let service = SuprSendService(
            publicKey: "SS.PUBK.test",
            distinctID: "anna",
            hubURL: nowhere,
            apiURL: nowhere,
            socketURL: nowhere
        )
        let environment = ServiceEnvironment(
            transport: transport,
            keyring: Keyring(nil),
            now: { Timestamp(milliseconds: 0) },
            logger: logger
        )
        let ended = await followed(try service.makeInboxService(of: service.owner, environment))
        #expect(ended.follower == nil)
        withExtendedLifetime(ended.inbox) {}
        await transport.shutdown()
    }
}
