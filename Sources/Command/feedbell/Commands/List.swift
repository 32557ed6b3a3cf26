import AgentInterface
import ArgumentParser
import Basics
import DBus
import Glibc
import VisibleText

struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        _superCommandName: Feedbell.name,
        abstract: "List notifications, pinned first, then newest",
        discussion: """
            On a terminal, "●" marks unread and "^" pinned notifications. In a pipe, each line is id, "unread" or \
            "read", milliseconds since the Unix epoch, title, and with several accounts the account, separated by tab \
            characters.

            Lists all accounts together; --account or the variable FEEDBELL_ACCOUNT chooses one. A terminal shows 20; \
            a pipe and --json all that the agent keeps on this computer, and a sentence on standard error says if the \
            inbox has more. --limit N fetches as many as you ask for; the exit code is 7 if not all of them can be \
            fetched, or an inbox was never loaded, or 4 if the account needs your attention. --tab lists one of the \
            configured tabs, see "feedbell tabs". Without a connection, it lists what the agent keeps on this \
            computer. --search looks at all of it, in titles, texts and categories.

            --format prints a line of text for each notification, with the names in braces that "feedbell follow \
            --format" takes, as for a pipe. The schema of the JSON is share/feedbell/output.schema.json below the \
            prefix of the installation.

            Examples:
              $ feedbell list --unread --limit 5
              $ feedbell list --unread --format '{title} {url}'
              $ feedbell list --tab archive --since 1d
              $ feedbell list --search "build main"
              $ feedbell list --json | jq -r '.[].title'
            """
    )

    @OptionGroup var account: AccountOptions
    @Option(help: "List at most this many notifications.") var limit: UInt32?
    @Option(help: "Skip this many notifications.") var offset: UInt32?
    @Option(help: "List this tab instead of the whole inbox.", completion: .custom(ShellCompletion.tabs)) var tab:
        String?
    @Option(help: "List only this category.", completion: .custom(ShellCompletion.inboxCategories)) var category:
        String?
    @Option(help: "List only notifications with this tag.", completion: .custom(ShellCompletion.inboxTags)) var tag:
        String?
    @Option(
        help: ArgumentHelp(
            "List only notifications created since then: \(SinceTime.forms).",
            valueName: "time"
        ),
        completion: .custom(ShellCompletion.periods)
    ) var since: String?
    @Option(
        help: ArgumentHelp("List only notifications created before: \(SinceTime.beforeForms).", valueName: "time"),
        completion: .custom(ShellCompletion.periods)
    ) var before: String?
    @Option(
        help: ArgumentHelp(
            "List only notifications with all of these words, or beginnings of words; of all that is kept.",
            valueName: "words"
        )
    ) var search: String?
    @Flag(name: .customLong("unread"), help: "List only unread notifications.") var isUnread = false
    @Flag(name: .customLong("read"), help: "List only read notifications.") var isRead = false
    @Flag(help: "List only archived notifications.") var archived = false
    @Flag(help: "List only snoozed notifications, which are not listed otherwise.") var snoozed = false
    @Option(help: ArgumentHelp("Print text, such as '{title} {url}'.", valueName: "text")) var format: String?
    @Flag(help: "Print a JSON array.") var json = false

    func validate() throws {
        if isUnread, isRead { throw ValidationError(Failure.exclusive(["--unread", "--read"])) }
        if json, format != nil { throw ValidationError(Failure.exclusive(["--json", "--format"])) }
    }

    func run() async throws {
        let now = Int64(time(nil)) * 1000
        let options = try options(now: now)
        let template = try format.map { (text) throws(Failure) in try EventTemplate(text) }
        let inboxes = try await account.objects()
        let terminal = json || template != nil ? nil : Terminal.standardOutput
        var asked = options
        // What was loaded before does not matter. One more shows whether there are more.
        if terminal != nil { asked.limit = limit ?? Self.defaultLimit + 1 }
        // With it, a search also finds archived ones.
        if asked.limit == nil, asked.text == nil { asked.takesKept = true }
        let list = try await MergedList(of: inboxes, tab: tab, asked)
        let problem = await problem(of: list, inboxes, options)
        var table = NotificationTable(notifications: list.notifications, now: now, hasAccounts: inboxes.count > 1)
        if json {
            Output.json(.array(list.notifications.map { JSONText($0.values) }))
        } else if let template {
            let lines = list.notifications.map { template.line(for: FollowedEvent(listed: $0)) + "\n" }
            Output.text(lines.joined(), terminator: "")
        } else if let terminal {
            try await print(&table, of: inboxes, options, terminal)
        } else {
            Output.text(table.lines, terminator: "")
        }
        if asked.takesKept == true, problem == nil { await Self.reportUnkept(inboxes, asked) }
        if let problem { throw problem.ofMissingNotifications }
    }

    /// Says which notifications a program does not get: those that are not kept.
    static func reportUnkept(_ inboxes: [AgentObject], _ options: ListOptions) async {
        var problems: [Failure] = []
        for inbox in inboxes {
            if let problem = await inbox.listProblem(options) { problems.append(problem) }
        }
        guard let problem = problems.first?.ofMissingNotifications.sentence else { return }
        let advice = translated("List as many as you need with --limit.")
        Failure(translatedParagraph([problem, advice]), .success).report()
    }

    /// Why notifications are missing; nil: none is.
    private func problem(of list: MergedList, _ inboxes: [AgentObject], _ options: ListOptions) async -> Failure? {
        if let failure = list.failure { return failure }
        guard limit != nil else { return nil }
        for inbox in inboxes {
            if let problem = await inbox.listProblem(options) { return problem }
        }
        return nil
    }

    /// The number of notifications on a terminal without `--limit`.
    private static let defaultLimit: UInt32 = 20

    private func print(
        _ table: inout NotificationTable,
        of inboxes: [AgentObject],
        _ options: ListOptions,
        _ terminal: Terminal
    ) async throws {
        var total = table.notifications.count
        if limit == nil { table.notifications = Array(table.notifications.prefix(Int(Self.defaultLimit))) }
        table.loaded = try await MergedList(of: inboxes).notifications
        Output.text(table.text(terminal), terminator: "")
        if table.notifications.isEmpty {
            Output.note(options.isWholeInbox ? translated("No notifications.") : translated("No such notifications."))
        }
        for age in try await ages(of: inboxes) { Output.text(terminal.text(age, .dim)) }
        guard limit == nil, offset == nil else { return }
        if options.isWholeInbox {
            let totals = try await inboxes.properties(AgentInbox.self).map { Int($0[AgentInbox.totalCount] ?? 0) }
            total = max(total, totals.reduce(0, +))
        }
        let count = table.notifications.count
        guard count < total else { return }
        let arguments = CommandLine.arguments.dropFirst()
        // Words that need the shell's quotes are left to the user.
        let isPlain = arguments.allSatisfy { $0.utf8.allSatisfy { $0.isAlphanumeric || "-_=.:@".utf8.contains($0) } }
        let command = "feedbell \(isPlain ? arguments.joined(separator: " ") : "list …") --limit 100"
        let values = ["count": "\(count)", "total": "\(total)", "command": command]
        let words =
            options.isWholeInbox
            ? translated("{count} of {total}; more: {command}", values)
            : translated("The first {count}; more: {command}", values)
        Output.text(terminal.text(words, .dim))
    }

    /// Since when lists are old, in words, of each account without a connection.
    private func ages(of inboxes: [AgentObject]) async throws -> [String] {
        var ages: [String] = []
        for inbox in inboxes {
            let asOf = try await inbox.properties(AgentInbox.self)[AgentInbox.asOf] ?? 0
            guard asOf != 0 else { continue }
            let account = try await inbox.properties(AgentAccount.self)
            guard let age = AccountText.age(of: asOf, account, now: Int64(time(nil)) * 1000) else { continue }
            let name = account[AgentAccount.accountName] ?? ""
            ages.append(inboxes.count > 1 ? "\(name.onOneLine): \(age)" : age)
        }
        return ages
    }

    private func options(now: Int64) throws -> ListOptions {
        var options = ListOptions()
        options.tab = tab
        options.limit = limit
        if let offset { options.offset = offset }
        options.archived = archived ? true : nil
        options.category = category
        options.tag = tag
        options.text = search
        options.snoozed = snoozed
        options.unread = isUnread || isRead ? isUnread : nil
        options.since = try since.map { try SinceTime.required($0, now: now) }
        options.before = try before.map { try SinceTime.required($0, forms: SinceTime.beforeExamples, now: now) }
        return options
    }
}

extension ListOptions {
    /// Whether they list the inbox from its beginning, without a filter.
    fileprivate var isWholeInbox: Bool {
        self.tab == nil && self.category == nil && self.tag == nil && self.since == nil && self.before == nil
            && self.unread == nil
            && self.archived == nil && self.text == nil && self.snoozed != true
    }
}

struct Show: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        _superCommandName: Feedbell.name,
        abstract: "Show a notification",
        discussion: """
            The line of a button, and of the link of the subtext or the picture, begins with its id in brackets: open \
            it with feedbell open --button.

            Example:
              $ feedbell show 01K1
            """
    )

    @OptionGroup var account: AccountOptions
    @Argument(
        help: "The notification's id or a unique prefix of it.",
        completion: .custom(ShellCompletion.notifications)
    )
    var id: String
    @Flag(help: "Print a JSON object.") var json = false
    @Flag(help: "Print the path of a PNG file with the sender's picture, which the agent loads.") var picture = false

    func run() async throws {
        let found = try await account.notifications([id])[0]
        if picture {
            let file = try await found.using { try await $0.call(AgentInbox.picture, $1[0]) }
            guard !file.isEmpty else {
                throw Failure(translated("The notification has no picture, or it cannot be loaded."), .notFound)
            }
            return Output.text(file.onOneLine)
        }
        let notification =
            if let loaded = found.loaded.first(where: { $0.id == found.ids[0] }) { loaded } else {
                NotificationRecord(try await found.using { try await $0.call(AgentInbox.get, $1[0]) })
            }
        json ? Output.json(JSONText(notification.values)) : Output.text(Self.text(notification))
    }

    static func text(_ notification: NotificationRecord) -> String {
        let now = Int64(Glibc.time(nil)) * 1000
        func time(_ time: Int64) -> [String: String]? {
            time == 0 ? nil : ["time": LocalTime(time).text(now: now)]
        }
        // Translators: The state of a notification, as in "created 09:12, seen 09:13, unread, category news".
        let facts = [
            translated("created {time}", ["time": LocalTime(notification.created).text(now: now)]),
            time(notification.seen).map { translated("seen {time}", $0) },
            time(notification.read).map { translated("read {time}", $0) },
            time(notification.interacted).map { translated("interacted {time}", $0) },
            notification.isExpiryVisible ? time(notification.expires).map { translated("expires {time}", $0) } : nil,
            notification.read == 0 ? translated("unread") : nil,
            notification.isPinned ? translated("pinned") : nil,
            notification.isArchived ? translated("archived") : nil,
            time(notification.snoozed).map { translated("snoozed until {time}", $0) },
            notification.category.isEmpty ? nil : translated("category {name}", ["name": notification.category]),
            notification.account.isEmpty ? nil : translated("account {name}", ["name": notification.account]),
        ]
        let texts = [notification.title, notification.body, notification.subtext, notification.url]
        let links = NotificationLink.all(of: notification).map { "[\($0.id)] \($0.text)" }
        let lines = texts.filter { !$0.isEmpty } + links + [translatedList(facts.compactMap(\.self)), notification.id]
        return lines.map(\.printable).joined(separator: "\n")
    }
}
