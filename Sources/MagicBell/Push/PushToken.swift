/// A device or browser as a target of push notifications.
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

    /// The push service of a ``pushSubscription(deviceToken:platform:appBundleID:)``.
    public enum Platform: String, Sendable, Hashable {
        case ios, android, safari
    }

    /// The environment of Apple's service that issued a device token.
    public enum APNSEnvironment: String, Sendable, Hashable {
        case development, production
    }
}
