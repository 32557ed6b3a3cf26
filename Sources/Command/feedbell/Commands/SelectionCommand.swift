import AgentInterface
import ArgumentParser
import DBus
import Glibc
import VisibleText

/// A command that changes the notifications with the given ids, or all that a filter selects. The result shows at once
/// and is sent to the service in the background.
protocol SelectionCommand: AsyncParsableCommand {
    static var action: SelectionAction { get }
    var selection: SelectionOptions { get }
}

extension SelectionCommand {
    func run() async throws { try await selection.apply(Self.action) }
}

// Not in the extension of the protocol, of which the compiler makes a copy for each command.
extension SelectionOptions {
    fileprivate func apply(_ action: SelectionAction) async throws {
        if hasFilter { return try await changeSelected(action) }
        try await account.change(ids, by: action.method)
    }

    private func changeSelected(_ action: SelectionAction) async throws {
        let all = try await selectedParts(action)
        let parts = all.filter { $0.count > 0 }
        let count = parts.reduce(0) { $0 + $1.count }
        if count > 0 {
            if !yes { try confirm(action, parts, count) }
            for part in parts { try await part.change() }
        }
        if json {
            Output.json(.object(["changed": .number(count)]))
        } else {
            Output.text(count > 0 ? action.result(count) : translated("Nothing to change."))
        }
        if let problem = all.compactMap(\.problem).first {
            throw problem.ofMissingNotifications
        }
    }

    /// The notifications to change in each account whose service can do it.
    private func selectedParts(_ action: SelectionAction) async throws -> [SelectedPart] {
        let options = try listOptions(now: Int64(time(nil)) * 1000)
        let inboxes = try await account.objects()
        var able: [(inbox: AgentObject, name: String)] = []
        for inbox in inboxes {
            let account = try await inbox.properties(AgentAccount.self)
            if let needed = action.capability, account[AgentAccount.capabilities]?.contains(needed) == false {
                continue
            }
            able.append((inbox, account[AgentAccount.accountName] ?? ""))
        }
        if able.isEmpty { throw Failure(translated("The account's service does not support this."), .refused) }
        var parts: [SelectedPart] = []
        for (inbox, name) in able {
            parts.append(try await SelectedPart(of: inbox, name, self, options, action))
        }
        return parts
    }

    private func confirm(_ action: SelectionAction, _ parts: [SelectedPart], _ count: Int) throws {
        let dialogue = try Dialogue.beforeChange()
        if parts.count > 1 { for part in parts { dialogue.say("\(part.account.onOneLine): \(part.count)") } }
        try dialogue.require(action.question(count))
    }
}

/// The notifications of one account that a filter selects.
private struct SelectedPart {
    let account: String
    let count: Int
    /// Why notifications may be missing; nil: none are.
    let problem: Failure?
    /// Makes the change.
    let change: () async throws -> Void

    /// Lists them, or counts all.
    init(
        of inbox: AgentObject,
        _ account: String,
        _ selection: SelectionOptions,
        _ options: ListOptions,
        _ action: SelectionAction
    ) async throws {
        self.account = account
        if selection.isAll, let all = action.forAll {
            count = Int(try await inbox.get(all.count))
            problem = nil
            change = { try await inbox.call(all.method) }
            return
        }
        var wanted = options
        if action == .read { wanted.unread = true }
        let list = try await inbox.all(wanted)
        let ids = list.notifications.filter { action.concerns($0) && (!selection.isRead || $0.read != 0) }.map(\.id)
        (count, problem) = (ids.count, list.problem)
        change = {
            for ids in AgentInbox.portions(of: ids) { try await inbox.call(action.method, ids, timeout: nil) }
        }
    }
}

extension AccountOptions {
    /// Calls a method for notifications.
    ///
    /// - Parameter texts: Ids or unique prefixes of ids; "-": those on standard input.
    func change(_ texts: [String], by method: InterfaceMethod<AgentInbox, ([String]), ()>) async throws {
        for texts in AgentInbox.portions(of: try StandardInputIDs.expanded(texts)) {
            for found in try await notifications(texts) {
                try await found.using { try await $0.call(method, $1) }
            }
        }
    }
}

extension AgentObject {
    /// All notifications with these options, which the agent loads, and why some may be missing.
    fileprivate func all(_ options: ListOptions) async throws
        -> (notifications: [NotificationRecord], problem: Failure?)
    {
        var options = options
        options.limit = .max
        return (try await notifications(options), await listProblem(options))
    }
}
