package import ClientKit
import VisibleText

/// When the server is asked whether the user has entered the code, and what its answers mean (RFC 8628 §3.5).
package struct DevicePolling: Hashable, Sendable {
    package enum Step: Hashable, Sendable {
        case granted(GrantedTokens)
        /// Ask again after ``wait``.
        case again
        case failed(OAuthError)
    }

    private static let longestInterval = Duration.seconds(60)
    private static let slowing = Duration.seconds(5)

    private var interval: Duration

    package init(_ authorization: DeviceAuthorization) { interval = authorization.interval }

    /// The time before the next question. A fifth more than the server wants: timers of virtual machines run fast.
    package var wait: Duration { interval * 1.2 }

    /// - Parameters:
    ///   - response: Of the token endpoint; nil: it did not answer.
    ///   - host: The server, for sentences.
    package mutating func step(after response: HTTPResponse?, from host: String) -> Step {
        guard let response else { return slowDown(to: interval * 2) }
        let object = response.oauthObject
        let code = object?["error"]?.string
        switch code {
        case "authorization_pending": return .again
        case "slow_down":
            let wanted = object?["interval"].flatMap(GrantedTokens.seconds).map { Duration.seconds($0) }
            return slowDown(to: max(interval + Self.slowing, wanted ?? .zero))
        case "access_denied", "authorization_declined":
            let reason = OAuthError.text(code: code ?? "", description: object?["error_description"]?.string)
            return .failed(.notAllowed(by: host, reason))
        case "expired_token": return .failed(.expiredCode(of: host))
        default: break
        }
        do throws(OAuthError) { return .granted(try GrantedTokens(response, from: host)) } catch {
            return error.isOutage ? slowDown(to: interval * 2) : .failed(error)
        }
    }

    private mutating func slowDown(to interval: Duration) -> Step {
        self.interval = min(interval, Self.longestInterval)
        return .again
    }
}

extension OAuthError {
    static func expiredCode(of host: String) -> OAuthError {
        OAuthError(.denied, translated("Nobody entered the code at {server} in time.", ["server": host]))
    }
}
