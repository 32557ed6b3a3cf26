import ClientKit
import FoundationEssentials

/// Whether the internet is reachable although a host is not (Ably's feature specification, RTN17j).
struct InternetCheck: Sendable {
    private static let timeout = Duration.seconds(10)

    let http: any HTTPTransport

    /// Loads a page that contains "yes".
    @concurrent  // returns to the caller's executor: CallerExecutorTests
    func isUp(_ page: String) async -> Bool {
        let request = HTTPRequest(method: "GET", url: page, timeout: Self.timeout, maximumBodySize: 4 << 10)
        guard let response = try? await http.send(request), 200..<300 ~= response.status else { return false }
        return String(decoding: response.body, as: UTF8.self).contains("yes")
    }
}
