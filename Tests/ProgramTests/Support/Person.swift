import ClientKit
import FoundationEssentials
import Logging
import Sandbox
import TestSupport
import Testing

/// A person with a browser who signs in at the sandbox.
enum Person {
    /// Opens the address of an authorization request, and answers the server's page.
    ///
    /// - Parameter user: Who signs in; nil: the person does not allow it.
    /// - Returns: The last page of the browser.
    @discardableResult
    static func answers(_ address: String, as user: String?) async throws -> String {
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        return try await NIOTransport.withTransport(logger: logger) { transport in
            var address = address
            if address.contains("/start/") {
                let start = try await transport.send(HTTPRequest(url: address))
                address = try #require(start.headers.first { $0.name.lowercased() == "location" }?.value)
            }
            let page = try await transport.send(HTTPRequest(url: address))
            try #require(page.status == 200, "\(String(decoding: page.body, as: UTF8.self))")
            let choice = user.map { "user=\($0)" } ?? "deny=1"
            let answer = address.replacing("/authorize?", with: "/answer?") + "&\(choice)"
            let redirect = try await transport.send(HTTPRequest(url: answer))
            let location = try #require(redirect.headers.first { $0.name.lowercased() == "location" }?.value)
            let last = try await transport.send(HTTPRequest(url: location, timeout: .seconds(60)))
            return String(decoding: last.body, as: UTF8.self)
        }
    }

    /// Opens an address.
    static func visits(_ address: String) async throws {
        try await NIOTransport.withTransport(logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }) {
            transport in
            let page = try await transport.send(HTTPRequest(url: address))
            #expect(page.status == 200)
        }
    }
}
