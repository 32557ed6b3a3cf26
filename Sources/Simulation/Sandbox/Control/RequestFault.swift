/// A fault that is injected into the next matching requests.
package struct RequestFault: Sendable, Equatable {
    package enum Kind: Sendable, Equatable {
        /// Send this response instead.
        case respond(ServiceResponse)
        /// Serve the request at once and send the answer after a delay, when it may be stale.
        case delay(milliseconds: Int64)
        /// Serve the request at once and send the answer after the command `release`.
        case hold
        /// Send half of the body as if it were complete.
        case truncated
        /// Send the head and half of the body, then close.
        case closeMidBody
        /// Close without an answer.
        case close
        /// TCP RST without an answer.
        case reset
        /// A chunked body without an end.
        case endless
        /// One byte of the head per interval; the head is never complete.
        case slowLoris(milliseconds: Int64)
        /// A complete body of this size, announced by Content-Length.
        case large(bytes: Int)

        /// The request takes effect although its answer is late.
        var appliesAnyway: Bool {
            switch self {
            case .delay, .hold: true
            default: false
            }
        }
    }

    package var kind: Kind
    /// nil matches every method.
    package var method: String?
    /// The prefix of the path; "/socket.io/" is the WebSocket upgrade.
    package var path: String
    /// The number of matching requests that are affected.
    package var times: Int
    /// The request takes effect before its answer is replaced or lost.
    package var applied: Bool
    /// Only WebSocket upgrades match.
    package var onlyUpgrades: Bool

    package init(
        _ kind: Kind,
        method: String? = nil,
        path: String = "/",
        times: Int = 1,
        applied: Bool = false,
        onlyUpgrades: Bool = false
    ) {
        self.kind = kind
        self.method = method
        self.path = path
        self.times = times
        self.applied = applied
        self.onlyUpgrades = onlyUpgrades
    }

    /// An error answer in the envelope `{"status":"error","error":{"type":…,"message":…}}`.
    package static func status(
        _ status: Int,
        type: String = "UNKNOWN_ERROR",
        message: String = "forced by the sandbox",
        method: String? = nil,
        path: String = "/",
        times: Int = 1,
        applied: Bool = false
    ) -> RequestFault {
        RequestFault(
            .respond(.error(status, type, message)),
            method: method,
            path: path,
            times: times,
            applied: applied
        )
    }

    /// An error answer of MagicBell, `{"errors":[{"code":…,"message":…}]}`.
    ///
    /// - Parameter retryAfter: the header `Retry-After`, in seconds.
    package static func magicBell(
        _ status: Int,
        code: String? = nil,
        message: String = "forced by the sandbox",
        retryAfter: Int? = nil,
        method: String? = nil,
        path: String = "/",
        times: Int = 1,
        applied: Bool = false
    ) -> RequestFault {
        var response = ServiceResponse.magicBellError(status, code, message)
        if let retryAfter { response.headers["Retry-After"] = String(retryAfter) }
        return RequestFault(.respond(response), method: method, path: path, times: times, applied: applied)
    }

    /// An HTML page, as a gateway in front of the service sends it.
    package static func page(
        _ status: Int,
        method: String? = nil,
        path: String = "/",
        times: Int = 1
    ) -> RequestFault {
        let body = "<html><head><title>\(status)</title></head><body>default backend - \(status)</body></html>"
        let headers = ["Content-Type": "text/html"]
        let response = ServiceResponse(status: status, headers: headers, body: Array(body.utf8))
        return RequestFault(.respond(response), method: method, path: path, times: times)
    }

    func matches(_ request: ServiceRequest) -> Bool {
        times > 0 && (method == nil || method == request.method) && request.rawPath.hasPrefix(path)
            && (!onlyUpgrades || SocketRequest.isUpgrade(request))
    }
}
