/// Where the service delivers notifications besides the inbox: a device, a browser, or a channel of a team's chat.
public enum PushToken: Sendable, Hashable {
    /// Apple Push Notification service: the device token in hexadecimal, its environment, and the app's bundle id.
    case apns(deviceToken: String, environment: APNSEnvironment = .production, appID: String? = nil)
    /// Firebase Cloud Messaging.
    case fcm(deviceToken: String)
    /// Expo.
    case expo(deviceToken: String)
    /// A push subscription of a browser (W3C Push API): the endpoint and its two keys in base64url.
    case webPush(endpoint: String, p256dh: String, auth: String, expires: Int64? = nil)
    /// A device in the form of the first SDKs, for projects that still use it; with the REST API only.
    case pushSubscription(deviceToken: String, platform: Platform, appBundleID: String? = nil)

    /// A channel of a Slack workspace, through an installation of the sender's Slack app. With the user API only, as
    /// the other two of chats.
    case slack(channelID: String, installationID: String, scope: String? = nil)
    /// An incoming webhook of Slack. The URL is a secret.
    case slackWebhook(url: String)
    /// An incoming webhook of Microsoft Teams. The URL is a secret.
    case teamsWebhook(url: String)

    /// The kinds, as the service stores them.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        case apns, fcm, expo, webPush = "web_push", slack, teams, pushSubscription = "push_subscription"
    }

    /// The kind, which decides where the service stores it.
    public var kind: Kind {
        switch self {
        case .apns: .apns
        case .fcm: .fcm
        case .expo: .expo
        case .webPush: .webPush
        case .pushSubscription: .pushSubscription
        case .slack, .slackWebhook: .slack
        case .teamsWebhook: .teams
        }
    }

    /// The push service of a ``pushSubscription(deviceToken:platform:appBundleID:)``.
    public enum Platform: String, Sendable, Hashable {
        case ios, android, safari
    }

    /// The environment of Apple's service that issued a device token.
    public enum APNSEnvironment: String, Sendable, Hashable {
        case development, production
    }
}
