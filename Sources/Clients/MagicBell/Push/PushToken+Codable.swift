import ClientKit

/// The form of the service's REST API: an object with the kind of the token as its key.
extension PushToken: Codable {
    /// Decodes `{"apns":{…}}`, `{"fcm":{…}}`, `{"expo":{…}}`, `{"web_push":{…}}`, `{"push_subscription":{…}}`,
    /// `{"slack":{…}}` or `{"teams":{…}}`.
    public init(from decoder: any Decoder) throws {
        let value = try JSONValue(from: decoder)
        guard let (name, body) = value.object?.first, value.object?.count == 1, let kind = Kind(rawValue: name),
            let token = Self(kind, body)
        else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "The value is not a push token.")
            )
        }
        self = token
    }

    /// - Parameter body: The token without a wrapper; other members are ignored.
    init?(_ kind: Kind, _ body: JSONValue) {
        let deviceToken = body["device_token"]?.string
        switch kind {
        case .apns:
            let environment = body["installation_id"]?.string.map(APNSEnvironment.init) ?? .production
            guard let deviceToken, let environment else { return nil }
            self = .apns(deviceToken: deviceToken, environment: environment, appID: body["app_id"]?.string)
        case .fcm:
            guard let deviceToken else { return nil }
            self = .fcm(deviceToken: deviceToken)
        case .expo:
            guard let deviceToken else { return nil }
            self = .expo(deviceToken: deviceToken)
        case .webPush:
            let keys = body["keys"]
            guard let endpoint = body["endpoint"]?.string, let p256dh = keys?["p256dh"]?.string,
                let auth = keys?["auth"]?.string
            else { return nil }
            let expires = body["expirationTime"]?.integer
            self = .webPush(endpoint: endpoint, p256dh: p256dh, auth: auth, expires: expires)
        case .pushSubscription:
            guard let deviceToken, let platform = body["platform"]?.string.flatMap(Platform.init) else { return nil }
            let appBundleID = body["app_bundle_id"]?.string
            self = .pushSubscription(deviceToken: deviceToken, platform: platform, appBundleID: appBundleID)
        case .slack:
            if let channelID = body["oauth"]?["channel_id"]?.string,
                let installationID = body["oauth"]?["installation_id"]?.string
            {
                let scope = body["oauth"]?["scope"]?.string
                self = .slack(channelID: channelID, installationID: installationID, scope: scope)
            } else if let url = body["webhook"]?["url"]?.string {
                self = .slackWebhook(url: url)
            } else {
                return nil
            }
        case .teams:
            guard let url = body["webhook"]?["url"]?.string else { return nil }
            self = .teamsWebhook(url: url)
        }
    }

    /// Writes the token, which is a secret.
    public func encode(to encoder: any Encoder) throws {
        try wrappedPayload.encode(to: encoder)
    }
}
