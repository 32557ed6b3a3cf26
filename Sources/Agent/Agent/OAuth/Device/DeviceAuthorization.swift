import ClientKit

/// The code that a user enters in a browser of any device, and how long it is good for (RFC 8628 §3.2).
package struct DeviceAuthorization: Hashable, Sendable {
    /// For the token endpoint. A secret.
    var deviceCode: String
    /// For the user.
    package var userCode: String
    /// Where the user enters it.
    package var url: String
    package var lifetime: Duration
    /// The least time between two questions whether the user has entered it.
    var interval: Duration

    /// Reads the answer of the device authorization endpoint.
    ///
    /// - Parameter host: The server, for sentences.
    init(_ response: HTTPResponse, from host: String) throws(OAuthError) {
        let object = response.oauthObject
        if let failure = OAuthError(tokenEndpoint: response, object, from: host) { throw failure }
        // The specification's name, and that of one server.
        guard let code = object?["device_code"]?.string, let userCode = object?["user_code"]?.string,
            let url = (object?["verification_uri"] ?? object?["verification_url"])?.string,
            code.isHeaderText(atMost: 4 << 10), userCode.isHeaderText(atMost: 64), ServerMetadata.isUsable(url)
        else { throw OAuthError(.unexpected, response.unreadableContents(of: host)) }
        deviceCode = code
        self.userCode = userCode
        self.url = url
        lifetime =
            object?["expires_in"].flatMap(GrantedTokens.seconds)
            .map { .seconds(min(max($0, 60), 1_800)) } ?? .seconds(600)
        interval =
            object?["interval"].flatMap(GrantedTokens.seconds)
            .map { .seconds(min(max($0, 1), 60)) } ?? .seconds(5)
    }
}
