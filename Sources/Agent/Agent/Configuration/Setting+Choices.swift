extension Setting {
    /// The words that it takes, or the most usual ones, for completion.
    var choices: [String] {
        switch key.description {
        case "popups.timeout": ["default", "never", "8", "15"]
        case "popups.mark_seen": ["shown", "dismissed", "never"]
        case "popups.open_schemes": ["https", "http", "mailto"]
        case "popups.text": ["show", "hide"]
        case "popups.locked": ["show", "hide-text", "hold"]
        case "popups.buttons": ["read", "archive", "snooze", "mute"]
        case "quiet.days": ["mo,tu,we,th,fr", "sa,su"]
        case "quiet.let_through": ["critical", "nothing"]
        case "desktop.launcher_badge": ["auto", "always", "never"]
        default: kind == .boolean ? ["true", "false"] : []
        }
    }
}
