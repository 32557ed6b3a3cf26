/// Something that goes wrong with the next requests that match.
package struct RequestFault: Sendable, Equatable {
    package enum Kind: Sendable, Equatable {
        /// Answer with this instead.
        case respond(ServiceResponse)
        /// Serve the request at once and answer so many milliseconds later: the answer is old by then.
        case delay(milliseconds: Int64)
        /// Serve the request at once and answer after the command `release`.
        case hold
        /// Send the head and half of the body, then close.
        case closeMidBody
        /// Close without an answer.
        case close
        /// TCP RST without an answer.
        case reset
        /// A chunked body without an end.
        case endless
        /// A byte of the head every so many milliseconds, never all of it.
        case slowLoris(milliseconds: Int64)
        /// A complete body of so many bytes, announced by Content-Length.
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
    /// What the path begins with; "/socket.io/" is the WebSocket upgrade.
    package var path: String
    /// How many matching requests it meets.
    package var times: Int
    /// The request takes effect before its answer is spoilt.
    package var applied: Bool

    package init(_ kind: Kind, method: String? = nil, path: String = "/", times: Int = 1, applied: Bool = false) {
        self.kind = kind
        self.method = method
        self.path = path
        self.times = times
        self.applied = applied
    }

    /// Answer with a status and the envelope of suprsend.md §2.2.
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

    /// Answer as a gateway before the service does: with a page in HTML.
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
    }
}
