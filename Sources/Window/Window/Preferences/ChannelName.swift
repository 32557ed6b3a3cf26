import VisibleText

/// The names of the channels that the services document, by what they call them.
enum ChannelName {
    /// One that is not known is shown as the service calls it.
    static func text(_ channel: String) -> String {
        switch channel {
        case "androidpush": translated("Android Push")
        case "iospush": translated("iOS Push")
        case "mobile_push": translated("Mobile Push")
        case "webpush", "web_push": translated("Web Push")
        case "email": translated("E-Mail")
        case "inbox": translated("Inbox")
        case "in_app": translated("In-App")
        case "sms": translated("SMS")
        case "whatsapp": "WhatsApp"
        case "slack": "Slack"
        case "ms_teams", "teams": "Microsoft Teams"
        default: channel.nameLine
        }
    }
}
