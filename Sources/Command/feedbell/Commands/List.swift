import AgentInterface
import ArgumentParser
import DBus
import Glibc
import Translation
import VisibleText

struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        _superCommandName: Feedbell.name,
        abstract: "List notifications, pinned first, then newest",
        discussion: """
            On a terminal, "●" marks unread and "^" pinned notifications. In a pipe, each line is id, "unread" or \
            "read", milliseconds since the Unix epoch and title, separated by tab characters.

            Shows the newest notifications, 20 at first. --limit N fetches as many as you ask for, "feedbell more" the \
            next page; the exit code is 7 if not all of them can be fetched. While the inbox was never loaded, it is \
            7, too, or 4 if the account needs your attention. --tab lists one of the configured tabs, see "feedbell \
            tabs". Without a connection, it lists what the agent keeps on this computer. --search looks at all of it, \
            in titles, texts and categories.

            Examples:
              $ feedbell list --unread --limit 5
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
        )
    ) var since: String?
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
    @Flag(help: "Print a JSON array.") var json = false

    func validate() throws {
        if isUnread, isRead { throw ValidationError(Failure.exclusive(["--unread", "--read"])) }
    }

    func run() async throws {
        let now = Int64(time(nil)) * 1000
        let options = try options(now: now)
        let inbox = try await account.object()
        let notifications = try await inbox.using(tab: tab) { try await inbox.notifications(options) }
        let problem = limit == nil ? "" : await inbox.listProblem(options)
        try await print(notifications, of: inbox, options, now: now)
        if !problem.isEmpty {
            throw Failure(translated("Some notifications are missing: {reason}", ["reason": problem]), .offline)
        }
    }

    private func print(
        _ notifications: [NotificationRecord],
        of inbox: AgentObject,
        _ options: ListOptions,
        now: Int64
    ) async throws {
        if json { return Output.json(.array(notifications.map { JSONText($0.values) })) }
        var table = NotificationTable(notifications: notifications, now: now)
        guard let terminal = Terminal.standardOutput else { return Output.text(table.lines, terminator: "") }
        if !options.values.isEmpty { table.loaded = try await inbox.notifications() }
        Output.text(table.text(terminal), terminator: "")
        let asOf = try await inbox.properties(AgentInbox.self)[AgentInbox.asOf] ?? 0
        guard asOf != 0 else { return }
        let account = try await inbox.properties(AgentAccount.self)
        if let age = StatusReport.age(of: asOf, account, now: now) { Output.text(terminal.text(age, .dim)) }
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
        if let since {
            guard let time = SinceTime.parse(since, now: now) else {
                throw Failure(TimeText.invalid(since, forms: SinceTime.examples), .usage)
            }
            options.since = time
        }
        return options
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

    func run() async throws {
        let found = try await account.notifications([id])[0]
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
            notification.category.isEmpty ? nil : translated("category {name}", ["name": notification.category]),
        ]
        let texts = [notification.title, notification.body, notification.subtext, notification.url]
        let links = NotificationLink.all(of: notification).map { "[\($0.id)] \($0.text)" }
        let lines = texts.filter { !$0.isEmpty } + links + [translatedList(facts.compactMap(\.self)), notification.id]
        return lines.map(\.printable).joined(separator: "\n")
    }
}
