import AgentInterface
import DBus
import FoundationEssentials
import Sandbox

extension Desktop {
    /// Puts notifications into the inbox of a user, without an event.
    ///
    /// - Parameter text: Of each notification; nil: the usual one.
    func fill(
        _ sandbox: Sandbox,
        _ count: Int,
        of user: String = AgentProgram.user,
        text: String? = nil
    ) async throws {
        try await fill(sandbox, 0..<count, of: user, text: text)
    }

    /// Puts notifications into the inbox of a user, without an event: a part of those up to the number `end`.
    func fill(
        _ sandbox: Sandbox,
        _ numbers: Range<Int>,
        until end: Int? = nil,
        of user: String = AgentProgram.user,
        text: String? = nil
    ) async throws {
        let now = Int64(Date().timeIntervalSince1970 * 1000)
        let notifications = numbers.map { number in
            var fields = AgentUnderLoad.notification(number).object ?? [:]
            if let text { fields["text"] = .string(text) }
            // Pages are separated by time, so each has its own.
            fields["created_on"] = .integer(now - Int64((end ?? numbers.upperBound) - number) * 1000)
            return JSON.object(fields)
        }
        _ = try await sandbox.execute(
            "publish",
            ["notifications": .array(notifications), "user": .string(user), "announce": false]
        )
    }

    /// Makes the agent load `count` notifications, or as many as it can.
    ///
    /// - Returns: How many it has loaded.
    func load(_ count: Int) async throws -> Int {
        var loaded = 0
        var attempts = 20
        while loaded < count, attempts > 0 {
            attempts -= 1
            let now = try await account.call(AgentInbox.list, ["limit": .uint32(UInt32(count))]).count
            // The first page may still be on its way.
            if now == loaded { try await Task.sleep(for: .milliseconds(100)) }
            loaded = now
        }
        if loaded < count { remark("the agent loaded \(loaded) of \(count) notifications") }
        guard loaded > 0 else { throw Child.Failure(description: "the agent loaded no notifications") }
        return loaded
    }
}
