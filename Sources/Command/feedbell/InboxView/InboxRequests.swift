import AgentInterface
import DBus
import Glibc
import VisibleText

/// The requests of ``InboxScreen`` to the agent.
struct InboxRequests: Sendable {
    /// The agent's own object.
    let root: AgentObject

    func reply(to request: ListRequest) async -> ListReply {
        await request.reply(of: root.account(at: request.account)) { Failure($0).sentence }
    }

    func send(_ request: InboxScreen.Request, of account: String) async throws {
        switch request {
        case .pause: return try await root.call(AgentRoot.pause, 0)
        case .resume: return try await root.call(AgentRoot.resume)
        case .mute(let mute):
            try await root.call(AgentRoot.mute, mute.conditions.values, mute.until)
            return
        case .unmute(let row): return try await unmute(row)
        default: break
        }
        let inbox = try await root.account(account)
        switch request {
        case .inbox(let call): try await inbox.send(call)
        case .setPreference(let category, let channel, let isOn):
            let preference = PreferenceSwitch(isOn: isOn).rawValue
            if let channel {
                try await inbox.call(AgentPreferences.setCategoryChannel, category, channel, preference)
            } else {
                try await inbox.call(AgentPreferences.setCategory, category, preference)
            }
        case .pause, .resume, .undo, .mute, .unmute: break
        }
    }

    private func unmute(_ row: RowID) async throws {
        let isEnded: Bool
        do throws(DBusError) { isEnded = try await Mute.end(of: row, on: root.proxy) } catch { throw Failure(error) }
        if !isEnded { throw Failure(translated("A rule mutes it that cannot be changed here."), .refused) }
    }

    /// The reply to ``InboxScreen/Effect/loadPreferences(account:)``.
    func preferences(of account: String) async -> InboxScreen.Event {
        do {
            let categories = try await root.account(account).categories()
            return .preferencesLoaded(account: account, categories, failure: nil)
        } catch {
            return .preferencesLoaded(account: account, [], failure: Self.sentence(error))
        }
    }

    static func sentence(_ error: any Error) -> String { (error as? Failure)?.sentence ?? "\(error)" }
}
