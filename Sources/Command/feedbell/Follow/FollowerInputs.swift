import AgentInterface
import Basics
import DBus
import Synchronization

/// The messages from D-Bus that wait for slow output.
final class FollowerInputs: Sendable {
    enum Input: Sendable {
        case owner(BusName?)
        case signal(Message)
        /// Standard output was closed by its reader, or a signal ends this program.
        case closed
    }

    /// The maximum number of waiting messages. After a loss, the state is read again.
    private static let maximumWaiting = 1024
    /// The maximum number of lost arrivals whose ids are kept.
    private static let maximumLost = 20_000

    /// What was lost since the last call of ``takeLoss()``.
    private struct Loss {
        var hasLost = false
        /// The ids of notifications that have arrived, by account.
        var arrivals: [ObjectPath: [String]] = [:]
        var count = 0
    }

    private let mailbox = Mailbox<Input>(.bufferingOldest(maximumWaiting))
    private let loss = Mutex(Loss())
    private let waiting = Atomic(0)

    /// Each must be counted with ``countReceived()``.
    var messages: Mailbox<Input>.Messages { mailbox.messages }

    var isEmpty: Bool { waiting.load(ordering: .relaxed) == 0 }

    func send(_ input: Input) {
        waiting.add(1, ordering: .relaxed)
        if mailbox.send(input) { return }
        countReceived()
        loss.withLock { loss in
            loss.hasLost = true
            guard case .signal(let message) = input, let path = message.path, loss.count < Self.maximumLost,
                let (id, _) = (try? AgentInbox.notificationArrived.decode(message)) ?? nil
            else { return }
            loss.arrivals[path, default: []].append(id)
            loss.count += 1
        }
    }

    func countReceived() { waiting.subtract(1, ordering: .relaxed) }

    /// The ids of the lost notifications that have arrived since the last call, by account; nil: nothing was lost.
    func takeLoss() -> [ObjectPath: [String]]? {
        loss.withLock { loss in
            guard loss.hasLost else { return nil }
            defer { loss = Loss() }
            return loss.arrivals
        }
    }

    func close() { mailbox.close() }
}
