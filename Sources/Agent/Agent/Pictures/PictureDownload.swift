package import ClientKit
package import Inbox

/// Downloads a picture: without cookies, credentials and `Referer`, from public addresses only.
package struct PictureDownload: Sendable {
    /// The maximum size in bytes.
    package static let limit = 1 << 20
    /// The maximum time, redirects included.
    static let timeout = Duration.seconds(5)
    /// The maximum number of redirects.
    static let redirects = 3

    private let transport: @Sendable (_ privateHosts: Set<String>) -> any HTTPTransport
    private let clock: any Clock<Duration>
    /// Of one request, which no injected clock measures.
    private let requestTimeout: Duration

    /// - Parameter lookUp: See ``Transport/AddressRestriction/lookUp``.
    package init(
        _ transport: NIOTransport,
        lookUp: @escaping @Sendable (_ host: String) async -> [IPAddress] = AddressRestriction.systemLookUp,
        clock: any Clock<Duration>,
        requestTimeout: Duration = .seconds(5)
    ) {
        self.init(clock: clock, requestTimeout: requestTimeout) { privateHosts in
            transport.restricted(by: AddressRestriction(exceptions: privateHosts, lookUp: lookUp))
        }
    }

    init(
        clock: any Clock<Duration>,
        requestTimeout: Duration = timeout,
        transport: @escaping @Sendable (_ privateHosts: Set<String>) -> any HTTPTransport
    ) {
        self.transport = transport
        (self.clock, self.requestTimeout) = (clock, requestTimeout)
    }

    /// The content of the file, whatever it is.
    @concurrent  // returns to the caller's executor: CallerExecutorTests
    package func content(of url: PictureURL) async throws(PictureFailure) -> [UInt8] {
        let result = await withTaskGroup(of: Result<[UInt8], PictureFailure>?.self) { group in
            group.addTask {
                do throws(PictureFailure) { return .success(try await follow(url)) } catch { return .failure(error) }
            }
            group.addTask {
                try? await clock.sleep(for: Self.timeout)
                return nil
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
        guard let result else { throw PictureFailure(.host, "\(url.host) did not send a picture in time.") }
        return try result.get()
    }

    private func follow(_ url: PictureURL) async throws(PictureFailure) -> [UInt8] {
        let transport = transport(url.privateHosts)
        var url = url
        for _ in 0...Self.redirects {
            let response = try await response(of: url, over: transport)
            switch response.status {
            case 200: return response.body
            case 301, 302, 303, 307, 308:
                guard let target = response.header("Location").flatMap(url.redirected) else {
                    throw PictureFailure(.picture, "\(url.host) redirects to an address that is not allowed.")
                }
                url = target
            default:
                throw PictureFailure(.picture, "\(url.host) answered with HTTP status \(response.status).")
            }
        }
        throw PictureFailure(.picture, "\(url.host) redirects more than \(Self.redirects) times.")
    }

    private func response(
        of url: PictureURL,
        over transport: any HTTPTransport
    ) async throws(PictureFailure) -> HTTPResponse {
        let headers = [
            HTTPField("Accept", "image/png, image/jpeg, image/gif, image/webp;q=0.5"),
            HTTPField("User-Agent", "Feedbell"), HTTPField("Connection", "close"),
        ]
        let request = HTTPRequest(
            url: url.text,
            headers: headers,
            timeout: requestTimeout,
            maximumBodySize: Self.limit
        )
        do throws(TransportError) {
            return try await transport.send(request)
        } catch {
            let scope: PictureFailure.Scope =
                switch error.kind {
                case .unreachable, .tls, .timeout, .proxy: .host
                default: .picture
                }
            throw PictureFailure(scope, error.detail)
        }
    }
}
