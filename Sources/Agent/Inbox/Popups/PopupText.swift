import VisibleText

/// The words of popups that are not the sender's. They are looked up once, because they are needed for each popup.
enum PopupText {
    // Translators: A button of a popup. It opens the link of the notification.
    static let open = translated("Open")
    // Translators: A button of a popup without a link. It marks the notification as dealt with.
    static let done = translated("Done")
    // Translators: A button of a popup. It marks the notification as read.
    static let read = translated("Mark as read")
    // Translators: A button of a popup. It archives the notification.
    static let archive = translated("Archive")
    // Translators: A button of a popup. The notification pops up again in an hour.
    static let snooze = translated("In an hour")
    // Translators: A button of a popup. Notifications of the same category have no popups for an hour.
    static let mute = translated("Mute for an hour")
    // Translators: The title of a popup that hides what the notification says.
    static let new = translated("New notification")

    /// The title of a popup that hides what the notification says.
    ///
    /// - Parameter account: The name of its account.
    static func new(of account: String) -> String {
        // Translators: The title of a popup that hides what the notification says. The account is a name, such as
        // "work".
        translated("New notification from {account}", ["account": account])
    }

    /// The title of a summary.
    static func new(_ count: Int) -> String {
        translated("{count} new notification", plural: "{count} new notifications", count: count)
    }

    /// The last line of a summary that does not name every notification.
    static func more(_ count: Int) -> String {
        // Translators: The last line of a list of titles: the number of further notifications, which are not named.
        translated("… and {count} more", plural: "… and {count} more", count: count)
    }
}
