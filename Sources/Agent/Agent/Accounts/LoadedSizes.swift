import Basics
import Synchronization

/// The sizes of what the accounts have loaded. Their sum is limited: the agent's memory is.
final class LoadedSizes: Sendable {
    /// The maximum of the sum, in bytes.
    let limit: Int
    /// The maximum size of the notifications of a reply, in bytes: far below the 64 MiB of an array and the 128 MiB of
    /// a message (D-Bus Specification, "Type System" and "Message Format"), as the bus and both programs have it in
    /// memory, maybe several times.
    let replyLimit: Int

    private struct Account {
        var size = 0
        /// Unloads pages.
        var release: @Sendable () -> Void
    }

    private let accounts = Mutex<[ObjectIdentifier: Account]>([:])
    /// The replies that are made with the copies, and the searches, of all accounts. Callers take turns.
    let (replies, searches) = (SerialGate(), SerialGate())

    init(limit: Int, replyLimit: Int) { (self.limit, self.replyLimit) = (limit, replyLimit) }

    /// Adds an account.
    ///
    /// - Parameter release: Unloads what the account can load again, and reports its new size.
    func add(_ account: AccountSession, release: @escaping @Sendable () -> Void) {
        accounts.withLock { $0[ObjectIdentifier(account)] = Account(release: release) }
    }

    func remove(_ account: AccountSession) { accounts.withLock { $0[ObjectIdentifier(account)] = nil } }

    /// Reports the size of what an account has loaded, in bytes.
    func set(_ size: Int, of account: AccountSession) {
        accounts.withLock { $0[ObjectIdentifier(account)]?.size = size }
    }

    /// The part of the limit that the other accounts leave, in bytes.
    func room(for account: AccountSession) -> Int {
        let id = ObjectIdentifier(account)
        return accounts.withLock { $0.reduce(limit) { $1.key == id ? $0 : $0 - $1.value.size } }
    }

    /// An account needs more than the others leave: the one that has most unloads its pages, if it has more than this
    /// one.
    func makeRoom(for account: AccountSession) {
        let id = ObjectIdentifier(account)
        let largest = accounts.withLock { accounts in
            let own = accounts[id]?.size ?? 0
            return accounts.filter { $0.key != id && $0.value.size > own }.max { $0.value.size < $1.value.size }?.value
        }
        largest?.release()
    }
}
