import ArgumentParser

struct Follow: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "follow",
        abstract: "Prints what happens, line by line, until it is ended: JSON objects, or what a status bar shows.",
        discussion: """
            The first lines tell how things are, up to "ready"; after that, each line is news. When no agent runs it says so and \
            waits for one; it never starts one. Each object has "event" and, where it is about an account, "account". Times are \
            milliseconds since the Unix epoch, 0 for none.

              agent                running; version: if true, the state follows
              totals               unread, attention_needed: of all accounts
              paused               paused, paused_until, held_back: why no popups are
                                   shown (pause, quiet, do-not-disturb, server-full)
              account              state, since, next_attempt, attention_needed,
                                   pending, pending_error, pending_error_name, error,
                                   error_name, provider, user
              counts               unread, unseen, badge, total, has_more, store,
                                   stores
              notification-listed  notification, as "feedbell show --json" prints it
              ready                that was the state
              notification-arrived notification: a new one, once in its life; act on this
              notification-added   notification: the loaded list has one more, new or old
              notification-changed notification, as it is now
              notification-removed notification, as it was
              action-failed        action, ids, error, error_name: it was undone
              preferences-updated  see "feedbell preferences --json"
              preferences-failed   target, error, error_name: the old value is back
              account-removed      the configuration does not have it any more
              behind               you read too slowly and missed something; the
                                   state follows

            Example:
              $ feedbell follow | jq --unbuffered -r \\
                  'select(.event == "notification-arrived") | .notification.title'

            For waybar, text is the number of unread notifications, empty while it is not known; class has those that hold of \
            attention, offline, starting, paused, quiet, do-not-disturb, server-full and unread (or none), alt is the first of \
            them, tooltip has the newest titles:

              "custom/feedbell": {
                  "exec": "feedbell follow --waybar",
                  "return-type": "json",
                  "restart-interval": 5,
                  "format": "{icon} {}",
                  "format-icons": {
                      "attention": "⚠", "offline": "⚠", "paused": "🔕",
                      "quiet": "🔕", "do-not-disturb": "🔕", "default": "🔔"
                  }
              }

            For polybar, the line is the same as words; empty when there is nothing to say, which hides the module:

              [module/feedbell]
              type = custom/script
              exec = feedbell follow --polybar
              tail = true
            """
    )

    @Option(help: "The account's name; all of them without it.", completion: .custom(Completion.accounts))
    var account: String?
    @Flag(help: "Print a line of JSON for waybar whenever what it shows changes.") var waybar = false
    @Flag(help: "Print a line of text for polybar whenever what it shows changes.") var polybar = false

    func validate() throws {
        if waybar, polybar { throw ValidationError("--waybar and --polybar exclude each other.") }
    }

    func run() async throws {
        let format: Follower.Format = waybar ? .waybar : polybar ? .polybar : .events
        try await Follower(account: account, format: format).run()
    }
}
