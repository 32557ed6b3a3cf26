import AgentInterface
import ArgumentParser
import DBus
import VisibleText

struct Tabs: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tabs",
        _superCommandName: Feedbell.name,
        abstract: "List the tabs of the inbox with their unread counts",
        discussion: """
            A tab is a filtered view of the inbox, defined in the configuration: [[accounts.NAME.stores]]. Each line \
            is id, label, number of unread notifications, and with several accounts the account, separated by tab \
            characters.

            Examples:
              $ feedbell tabs
              $ feedbell list --tab archive
            """
    )
    @OptionGroup var account: AccountOptions
    @Flag(help: "Print a JSON array.") var json = false

    func run() async throws {
        let rows = try await rows(of: try await account.objects())
        if json { return Output.json(.array(rows.map { .tab($0.tab, account: $0.account) })) }
        if rows.isEmpty { Output.note(translated("The configuration defines no tabs, see feedbell.toml(5).")) }
        for row in rows {
            let (id, label, unread) = row.tab.elements
            let fields = [id, label, "\(unread)"] + (row.account.map { [$0] } ?? [])
            Output.text(fields.map(\.onOneLine).joined(separator: "\t"))
        }
    }

    /// The tabs of all accounts, with the account's name if there are several.
    private func rows(
        of inboxes: [AgentObject]
    ) async throws -> [(tab: Structure<String, String, UInt32>, account: String?)] {
        let tabs = try await inboxes.properties(AgentInbox.self).map { try $0.value(AgentInbox.tabs) ?? [] }
        if tabs.count == 1 { return tabs[0].map { ($0, nil) } }
        let accounts = try await inboxes.properties(AgentAccount.self)
        return zip(tabs, accounts).flatMap { tabs, account in tabs.map { ($0, account[AgentAccount.accountName]) } }
    }
}

struct More: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "more",
        _superCommandName: Feedbell.name,
        abstract: "Load older notifications and print how many were added",
        discussion: """
            Prints 0 if there are no more. Without --account, loads a page of each account that has the tab.

            Examples:
              $ feedbell more && feedbell list
              $ feedbell more --tab archive
            """
    )
    @OptionGroup var account: AccountOptions
    @Option(help: "Load more of this tab.", completion: .custom(ShellCompletion.tabs)) var tab: String?
    @Flag(help: "Print a JSON object.") var json = false

    func run() async throws {
        let inboxes = try await account.objects()
        var (added, asked) = (UInt32(0), 0)
        var failure: Failure?
        for inbox in inboxes {
            do {
                added += try await inbox.using(tab: tab) { try await inbox.call(AgentInbox.fetchMore, tab ?? "") }
                asked += 1
            } catch let problem as Failure where inboxes.count > 1 && problem.concernsOneAccount {
                // An account without the tab lacks nothing.
                if problem.code != .notFound || failure == nil { failure = problem }
            }
        }
        if asked > 0 { json ? Output.json(.object(["added": .number(added)])) : Output.text("\(added)") }
        if let failure, asked == 0 || failure.code != .notFound { throw failure }
    }
}

extension AgentObject {
    /// The tabs of an account: id, label and number of unread notifications.
    func tabs() async throws -> [Structure<String, String, UInt32>] {
        try await properties(AgentInbox.self).value(AgentInbox.tabs) ?? []
    }

    /// Makes a call that names a tab. If it fails because there is no such tab, the failure lists the tabs.
    func using<Output>(tab: String?, _ call: () async throws -> Output) async throws -> Output {
        do {
            return try await call()
        } catch let failure as Failure where failure.code == .usage {
            guard let tab, !tab.isEmpty, let known = try? await tabs().map(\.elements.0), !known.contains(tab) else {
                throw failure
            }
            let advice =
                known.isEmpty
                ? translated("The configuration defines none: see [[accounts.NAME.stores]] in feedbell.toml(5).")
                : Failure.list(known)
            let problem = translated("There is no tab \"{name}\".", ["name": tab])
            throw Failure(translatedParagraph([problem, advice]), .notFound)
        }
    }
}

extension JSONText {
    /// Tabs as an array of objects.
    ///
    /// - Parameter isCounted: Whether the service has reported the counts.
    static func tabs(_ tabs: [Structure<String, String, UInt32>], isCounted: Bool = true) -> JSONText {
        .array(tabs.map { tab($0, isCounted: isCounted) })
    }

    /// A tab as an object.
    ///
    /// - Parameter account: The account's name; nil: it is clear.
    fileprivate static func tab(
        _ tab: Structure<String, String, UInt32>,
        account: String? = nil,
        isCounted: Bool = true
    ) -> JSONText {
        let (id, label, unread) = tab.elements
        var members: [String: JSONText] = [
            "id": .string(id), "label": .string(label), "unread": isCounted ? .number(unread) : .null,
        ]
        members["account"] = account.map(JSONText.string)
        return .object(members)
    }
}
