import ClientKit
import Foundation
import SuprSend
import Testing

@Suite("The state of a connection for events and of the requests for rows") struct FollowStatusTests {
    private typealias Status = FollowStatus<SuprSendError>

    private static let since = Date(timeIntervalSince1970: 1)
    private static let lost = problem(.unreachable)
    private static let refused = problem(.unauthorized)

    private static func problem(_ kind: SuprSendError.Kind) -> Status.Problem {
        Status.Problem(error: SuprSendError(kind, "no"), nextAttempt: Date(timeIntervalSince1970: 2))
    }

    @Test(
        "Of link and loading, the worse one counts",
        arguments: [
            (.idle, nil, .idle), (.idle, refused, .idle), (.connecting, nil, .connecting),
            (.connecting, lost, .connecting), (.connecting, refused, .unauthorized(refused.error)),
            (.joined(since: since), nil, .online(since: since)), (.joined(since: since), lost, .offline(lost)),
            (.joined(since: since), refused, .unauthorized(refused.error)), (.lost(lost), nil, .offline(lost)),
            (.lost(lost), problem(.serverFailure), .offline(lost)),
            (.lost(lost), refused, .unauthorized(refused.error)), (.lost(refused), nil, .unauthorized(refused.error)),
        ]
            as [(
                FollowStatus<SuprSendError>.Link, FollowStatus<SuprSendError>.Problem?,
                FollowStatus<SuprSendError>.State
            )]
    ) func state(
        link: FollowStatus<SuprSendError>.Link,
        loading: FollowStatus<SuprSendError>.Problem?,
        expected: FollowStatus<SuprSendError>.State
    ) {
        var status = Status()
        status.link = link
        status.loading = loading
        #expect(status.state == expected)
    }
    @Test("While the connection is tried again after a refusal, the state stays as it is")
    func anotherAttempt() {
        var status = Status()
        status.beginConnecting()
        #expect(status.state == .connecting)
        status.link = .lost(Self.refused)
        status.beginConnecting()
        #expect(status.state == .unauthorized(Self.refused.error))
        status.link = .lost(Self.lost)
        status.beginConnecting()
        #expect(status.state == .connecting)
    }
}
