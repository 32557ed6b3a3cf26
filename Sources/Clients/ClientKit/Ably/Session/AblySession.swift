/// One connection to Ably with one channel, as a state machine: events in, effects out.
///
/// ```text
/// idle ─opened─► connecting ─CONNECTED─► attaching ─ATTACHED─► attached
///                                            ▲                    │
///                                            └──────DETACHED──────┘      any of them ─► ended
/// ```
///
/// Perform effects in order, one after the other; a delivery is performed when its receiver returns. No effect follows
/// a `close`. A connection without its channel has no use: a channel that fails, or cannot be attached, ends it, and
/// the owner's delays between connections replace those of Ably's libraries between attempts to attach.
package struct AblySession: Sendable, Equatable {
    /// The timeout for an answer of the server (Ably's feature specification, "realtimeRequestTimeout").
    package static let requestTimeout = Duration.seconds(10)
    /// Until the server says otherwise.
    package static let defaultMaxIdleInterval = Duration.seconds(15)
    /// The maximum idle interval; a longer one is shortened.
    package static let longestIdleInterval = Duration.seconds(600)
    /// A token is renewed this long before it expires, or after three quarters of a shorter lifetime.
    package static let renewalMargin = Duration.seconds(30)
    /// The minimum time from a token to its renewal, whatever its lifetime, and the maximum lifetime that counts.
    package static let renewalRange = Duration.seconds(5)...Duration.seconds(86_400)
    /// The minimum and maximum delay before the next request for a token after one that failed; each is twice the
    /// previous one.
    package static let renewalRetry = Duration.seconds(15)...Duration.seconds(300)
    /// A channel that is detached twice within this time is not attached again at once.
    package static let detachmentWindow = Duration.seconds(60)
    /// The maximum length of a frame, in UTF-8 bytes.
    package static let maximumFrameSize = 4 << 20

    /// The state with which the next connection resumes, updated with every frame.
    package private(set) var resumption: Resumption

    private let channel: String
    private let tokenLifetime: Duration?
    private var state = State.idle
    private var renewal = Renewal.unneeded(retry: Self.renewalRetry.lowerBound)
    private var maxIdleInterval = Self.defaultMaxIdleInterval
    /// Whether the channel was detached within ``detachmentWindow``.
    private var wasDetached = false

    private enum State: Sendable, Equatable {
        case idle, connecting, attaching, attached, ended

        var isConnected: Bool { self == .attaching || self == .attached }
    }

    private enum Renewal: Sendable, Equatable {
        /// `retry`: the delay after the next failure.
        case unneeded(retry: Duration)
        case requested(retry: Duration)
    }

    /// Starts a session.
    ///
    /// - Parameters:
    ///   - channel: Its name.
    ///   - resumption: From the previous session.
    ///   - tokenLifetime: How long the token of the connection's URL is still valid; nil: unknown.
    package init(channel: String, resumption: Resumption = Resumption(), tokenLifetime: Duration? = nil) {
        self.channel = channel
        self.resumption = resumption
        self.tokenLifetime = tokenLifetime
    }

    /// Handles an event and returns the effects to perform.
    package mutating func receive(_ event: Event) -> [Effect] {
        switch (state, event) {
        case (.ended, _):
            return []
        case (.idle, .opened):
            state = .connecting
            return [.startTimer(.connect, after: Self.requestTimeout)]
        case (_, .received(let text)):
            return received(text)
        case (_, .receivedBinary):
            return livenessEffects
        case (_, .token(let token, let lifetime)):
            return renewed(with: token, lifetime)
        case (_, .tokenUnavailable):
            return renewalFailed()
        case (_, .timerFired(let timer)):
            return fired(timer)
        case (_, .closed(let code)):
            return end(.closed(code: code))
        case (.attaching, .hangUp), (.attached, .hangUp):
            resumption.endConnection()
            // CLOSED is not awaited: a WebSocket closes after what was sent before, and its own handshake shows
            // that the server has read it.
            return [.send(ProtocolMessage(.close))] + end(.hungUp)
        case (_, .hangUp):
            return end(.hungUp)
        case (_, .opened):
            return []
        }
    }

    // MARK: Frames

    private mutating func received(_ text: String) -> [Effect] {
        guard text.utf8.count <= Self.maximumFrameSize else { return violated("a frame is too long") }
        do {
            let effects = received(try ProtocolMessage(parsing: text))
            return effects + livenessEffects
        } catch {
            if error == .tooManyMessages { return violated("a frame has too many messages") }
            return [.skipped(error)] + livenessEffects
        }
    }

    private mutating func received(_ message: ProtocolMessage) -> [Effect] {
        switch message.action {
        case .connected: return connected(message)
        case .disconnected: return end(.disconnected(message.error))
        case .closed: return closedByServer()
        case .error where message.channel == nil: return failed(message.error)
        case .auth: return requestToken()
        case _ where message.channel != channel: return []
        case .error: return channelFailed(message.error)
        case .attached: return attached(message)
        case .detached: return detached(message)
        case .message: return delivered(message)
        default: return []
        }
    }

    /// Any frame shows that the server is alive. Last among the effects, so that the time of a slow receiver does not
    /// count as the server's silence.
    private var livenessEffects: [Effect] {
        guard state.isConnected, maxIdleInterval > .zero else { return [] }
        return [.startTimer(.idle, after: maxIdleInterval + Self.requestTimeout)]
    }

    // MARK: Connection

    private mutating func connected(_ message: ProtocolMessage) -> [Effect] {
        guard state == .connecting || state.isConnected else { return [] }
        let interval = message.connectionDetails?.maxIdleInterval ?? maxIdleInterval
        maxIdleInterval = min(interval, Self.longestIdleInterval)
        resumption.connected(message, maxIdleInterval: maxIdleInterval)
        // An update of the parameters, such as after AUTH.
        guard state == .connecting else { return [] }
        return attach() + renewalTimer(lifetime: tokenLifetime)
    }

    private mutating func failed(_ error: ErrorInfo?) -> [Effect] {
        if error?.isTokenError != true { resumption.endConnection() }
        return end(.failed(error))
    }

    private mutating func closedByServer() -> [Effect] {
        resumption.endConnection()
        return end(.closedByServer)
    }

    // MARK: Channel

    /// Always after CONNECTED, also of a resumed connection (Ably's feature specification, RTN15c6 and RTN15c7).
    private mutating func attach() -> [Effect] {
        state = .attaching
        var message = ProtocolMessage(.attach, channel: channel)
        message.channelSerial = resumption.channelSerial
        return [.send(message), .startTimer(.attach, after: Self.requestTimeout)]
    }

    /// RESUMED alone shows whether messages were lost, not whether the connection was resumed (Ably's feature
    /// specification, RTL12).
    private mutating func attached(_ message: ProtocolMessage) -> [Effect] {
        guard state.isConnected else { return [] }
        let isContinuous = resumption.hasAttached && message.flags?.contains(.resumed) == true
        if let serial = message.channelSerial { resumption.channelSerial = serial }
        // The server repeats ATTACHED when something about the attachment has changed.
        let isNews = state == .attaching || !isContinuous
        state = .attached
        resumption.hasAttached = true
        return isNews ? [.attached(isContinuous: isContinuous)] : []
    }

    /// A channel that the server detaches is attached again at once (Ably's feature specification, RTL13a).
    private mutating func detached(_ message: ProtocolMessage) -> [Effect] {
        guard state == .attached, !wasDetached else { return state.isConnected ? end(.detached(message.error)) : [] }
        wasDetached = true
        return attach() + [.startTimer(.detachment, after: Self.detachmentWindow)]
    }

    private mutating func channelFailed(_ error: ErrorInfo?) -> [Effect] {
        guard state.isConnected else { return [] }
        resumption.endChannel()
        return end(.channelFailed(error))
    }

    private mutating func delivered(_ message: ProtocolMessage) -> [Effect] {
        // Before ATTACHED, messages have no place in the order (Ably's feature specification, RTL17).
        guard state == .attached else { return [] }
        if let serial = message.channelSerial { resumption.channelSerial = serial }
        var effects: [Effect] = []
        for (index, var element) in (message.messages ?? []).enumerated() {
            element.id = element.id ?? message.id.map { "\($0):\(index)" }
            element.connectionID = element.connectionID ?? message.connectionID
            element.timestamp = element.timestamp ?? message.timestamp
            let isNew = element.id.map { resumption.delivered.insert($0) } ?? true
            if isNew { effects.append(.deliver(element)) }
        }
        return effects
    }

    // MARK: Token

    /// The server's AUTH, or the timer: the token is renewed on the open connection (Ably's feature specification,
    /// RTN22 and RTC8).
    private mutating func requestToken() -> [Effect] {
        guard state.isConnected, case .unneeded(let retry) = renewal else { return [] }
        renewal = .requested(retry: retry)
        return [.requestToken]
    }

    private mutating func renewed(with token: String, _ lifetime: Duration?) -> [Effect] {
        guard state.isConnected, case .requested = renewal else { return [] }
        renewal = .unneeded(retry: Self.renewalRetry.lowerBound)
        var message = ProtocolMessage(.auth)
        message.accessToken = token
        return [.send(message)] + renewalTimer(lifetime: lifetime)
    }

    /// The connection stays, until the server ends it (Ably's feature specification, RSA4c3).
    private mutating func renewalFailed() -> [Effect] {
        guard case .requested(let retry) = renewal else { return [] }
        renewal = .unneeded(retry: min(retry * 2, Self.renewalRetry.upperBound))
        return state.isConnected ? [.startTimer(.renewal, after: retry)] : []
    }

    private func renewalTimer(lifetime: Duration?) -> [Effect] {
        lifetime.map { [.startTimer(.renewal, after: Self.renewalDelay(lifetime: $0))] } ?? []
    }

    /// When to renew a token that is valid for this time.
    package static func renewalDelay(lifetime: Duration) -> Duration {
        let lifetime = min(lifetime, renewalRange.upperBound)
        return max(lifetime - renewalMargin, lifetime * 3 / 4, renewalRange.lowerBound)
    }

    // MARK: Timers and ends

    private mutating func fired(_ timer: Timer) -> [Effect] {
        switch (timer, state) {
        case (.connect, .connecting): return end(.connectTimeout)
        case (.attach, .attaching): return end(.attachTimeout)
        case (.idle, .attaching), (.idle, .attached): return end(.silence)
        case (.renewal, _): return requestToken()
        case (.detachment, _):
            wasDetached = false
            return []
        default: return []
        }
    }

    /// Discards the resumption: a replayed frame that violates the protocol would do so again.
    private mutating func violated(_ rule: String) -> [Effect] {
        resumption.endConnection()
        return end(.protocolViolation(rule))
    }

    private mutating func end(_ end: End) -> [Effect] {
        state = .ended
        return [.close(end)]
    }
}
