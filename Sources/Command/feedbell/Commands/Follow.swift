import ArgumentParser
import VisibleText

struct Follow: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "follow",
        _superCommandName: Feedbell.name,
        abstract: "Print events, run a program for each, or feed a status bar",
        discussion: """
            Prints one JSON object for each event, one on a line, until it is interrupted. The first lines are the \
            current state, up to "ready"; each line after that is a change. While no agent is running, it waits for \
            one and never starts one. Each object has the member "event"; those of an account also have "account". \
            Times are milliseconds since the Unix epoch, 0 for none.

              agent                running; version: if running, the state follows
              totals               attention_needed, unread: the sum of known counts
              paused               paused, paused_until, held_back: why popups are held
                                   back (pause, quiet, do-not-disturb, locked,
                                   server-full)
              account              state, since, next_attempt, attention_needed,
                                   pending, pending_error, pending_error_name, error,
                                   error_name, provider, user
              counts               unread, unseen, badge, total, tabs (id, label,
                                   unread); a count is null while it is unknown
              notification-listed  notification, as "feedbell show --json" prints it;
                                   an inbox that is not loaded yet follows as
                                   notification-added
              ready                end of the current state
              notification-arrived notification: a new one, reported once; act on this
              notification-added   notification: added to the loaded list, new or old
              notification-changed notification: its new state
              notification-removed notification: its last state
              action-failed        action, ids, error, error_name: it was reverted
              preferences-updated  categories: those that changed, as "feedbell
                                   preferences --json" prints them; empty: call it
              preferences-failed   target, error, error_name: it was reverted
              account-removed      the account is no longer configured
              behind               events were lost, because they were read too slowly;
                                   the state follows, then what arrived meanwhile, as
                                   notification-arrived
              missed               count: of what arrived meanwhile, the inbox no longer
                                   has these

            --event, --category and --tag choose events; with a category or a tag, only those about notifications. \
            --format prints a line of text for each notification that arrives, or for the events of --event: the names \
            in braces are replaced by members of the event or of its notification, \\t is a tab and \\n a line feed.

            --exec runs a program for each notification that arrives, until it is interrupted, and prints no events. \
            It is the last option: the words after it are the program and its arguments, without a shell. The program \
            reads the notification as "feedbell show --json" prints it, and has the variables FEEDBELL_ID, \
            FEEDBELL_ACCOUNT, FEEDBELL_TITLE, FEEDBELL_BODY, FEEDBELL_URL, FEEDBELL_CATEGORY, FEEDBELL_TAGS (one on a \
            line) and FEEDBELL_CREATED. At most four run at once, and 1,000 notifications wait. A failure, and a \
            program that has run for a minute, is reported on standard error and changes nothing; with --timeout, a \
            program that runs longer is killed. At its end, for example at Control-C, "feedbell follow" starts no \
            more programs and waits for those that are running; a second Control-C leaves them running.

            Examples:
              $ feedbell follow --event counts --account work
              $ feedbell follow --category builds --format '{title}: {url}'
              $ feedbell follow --tag urgent --exec mpv alarm.ogg
              $ feedbell follow --category builds \\
                  --exec sh -c 'feedbell read "$FEEDBELL_ID"'

            With --text, prints a sentence for each new notification, such as "New: Build 4711 finished", and when an \
            account's connection, the pause or the agent changes.

            For waybar, "text" is the number of unread notifications, empty while it is unknown: no agent is running, \
            or an inbox is not loaded yet, which "offline", "starting" or "attention" shows. "class" contains \
            the states that apply: attention, offline, starting, paused, quiet, do-not-disturb, locked, server-full \
            and unread; or only "none". "alt" is the first of them. "tooltip" contains the newest titles:

              "custom/feedbell": {
                  "exec": "feedbell follow --waybar",
                  "return-type": "json",
                  "restart-interval": 5,
                  "on-click": "gapplication launch org.feedbell.Agent",
                  "format": "{icon} {}",
                  "format-icons": {
                      "attention": "⚠", "offline": "⚠", "paused": "🔕",
                      "quiet": "🔕", "do-not-disturb": "🔕", "default": "🔔"
                  }
              }

            For polybar, the line is the number, if it is known and not 0, and the states. It is empty, which hides \
            the module, if no state applies:

              [module/feedbell]
              type = custom/script
              exec = feedbell follow --polybar
              tail = true
              click-left = gapplication launch org.feedbell.Agent
            """
    )

    @Option(help: "Follow only this account.", completion: .custom(ShellCompletion.accounts))
    var account: String?
    @OptionGroup var events: EventFilterOptions
    @Option(help: ArgumentHelp("Print text, such as '{title}: {url}'.", valueName: "text")) var format: String?
    @Flag(help: "Print events as JSON, as without it.") var json = false
    @Flag(help: "Print a line of JSON for waybar after each change.") var waybar = false
    @Flag(help: "Print a line of text for polybar after each change.") var polybar = false
    @Flag(help: "Print new notifications and changed states as sentences, for a screen reader.") var text = false

    @Option(
        help: ArgumentHelp("Kill a program of --exec that runs longer than this many seconds.", valueName: "seconds")
    )
    var timeout: Double?

    @Option(
        parsing: .remaining,
        help: ArgumentHelp("Run a program for each new notification; the last option.", valueName: "program …")
    )
    var exec: [String] = []

    /// Whether `--exec` is given, which ArgumentParser does not say of one without words.
    private static var isExecGiven: Bool { CommandLine.arguments.dropFirst(2).contains("--exec") }

    func validate() throws {
        if exec.isEmpty, Self.isExecGiven {
            throw ValidationError(translated("Give a program after --exec."))
        }
        if let timeout, exec.isEmpty || !(0.001...86_400).contains(timeout) {
            throw ValidationError(
                translated("--timeout needs --exec, and must be a number of seconds from 0.001 to 86400.")
            )
        }
        let given = [
            ("--json", json), ("--waybar", waybar), ("--polybar", polybar), ("--text", text),
            ("--format", format != nil), ("--exec", !exec.isEmpty),
        ].filter(\.1).map(\.0)
        if given.count > 1 { throw ValidationError(Failure.exclusive(given)) }
        for (option, isGiven) in [("--waybar", waybar), ("--polybar", polybar), ("--text", text)] where isGiven {
            guard let filter = events.given.first else { continue }
            throw ValidationError(Failure.exclusive([option, filter]))
        }
        if !exec.isEmpty, !events.names.isEmpty { throw ValidationError(Failure.exclusive(["--event", "--exec"])) }
    }

    func run() async throws {
        var follower = Follower(account: account, format: try outputFormat)
        try await follower.run()
    }

    private var outputFormat: Follower.Format {
        get throws {
            if waybar { return .waybar }
            if polybar { return .polybar }
            if text { return .text }
            if !exec.isEmpty {
                let programs = try ArrivalPrograms(exec, timeout: timeout.map { .seconds($0) })
                return .programs(programs, events.filter(default: [FollowedEvent.arrived]))
            }
            guard let format else { return .events(events.filter(default: [])) }
            return .template(try EventTemplate(format), events.filter(default: [FollowedEvent.arrived]))
        }
    }
}
