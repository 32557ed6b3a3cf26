extension Notification {
    /// The approximate size in memory, with its texts as they are shown, in bytes.
    package var size: Int {
        let texts = title.utf8.count + body.utf8.count + subtext.utf8.count
        let addresses = url.utf8.count + subtextURL.utf8.count + avatar.utf8.count + avatarURL.utf8.count
        let names = id.rawValue.utf8.count + category.utf8.count + topic.utf8.count
        let buttons = actions.reduce(0) { $0 + $1.id.utf8.count + $1.name.utf8.count + $1.url.utf8.count + 64 }
        // The texts are there twice: with markup and without it.
        return 1 << 10 + 2 * texts + addresses + names + buttons + extra.utf8.count
            + tags.reduce(0) { $0 + $1.utf8.count + 32 }
    }
}
