import Basics
import Logging
import NIOCore
import NIOPosix
import NIOSSL

extension NIOTransport {
    package func withConnection<Result: Sendable>(
        to url: String,
        timeout: Duration,
        _ body: (any WebSocketConnection) async throws -> Result
    ) async throws -> Result {
        let endpoint = try Endpoint(url)
        let route = Route(endpoint, through: try options.proxies.proxy(for: endpoint))
        return try await network.use {
            let connection = try await open(route, timeout)
            logger.debug("websocket open", metadata: ["host": "\(endpoint.host)"])
            return try await network.interruptible {
                connection.channel.close(promise: nil)
            } _: {
                do {
                    let result = try await body(connection)
                    await connection.close(code: 1000)
                    return result
                } catch {
                    await connection.close(code: 1000)
                    throw error
                }
            }
        }
    }

    private func open(_ route: Route, _ timeout: Duration) async throws -> NIOWebSocketConnection {
        let opening = WebSocketOpening(
            route: route,
            tls: route.endpoint.isSecure ? try await Self.tls(trust) : nil,
            maximumMessageSize: options.maximumMessageSize,
            eventLoop: eventLoop
        )
        do {
            return try await network.interruptible {
                opening.giveUp(with: .shutDown)
            } _: {
                try await withTaskCancellationHandler {
                    try await opening.open(timeout: TimeAmount(timeout)).get()
                } onCancel: {
                    opening.giveUp(with: .cancelled(host: route.endpoint.host))
                }
            }
        } catch {
            throw await explained(error, on: route)
        }
    }

    /// Reads the system's certificates, which needs some milliseconds: off the program's loop.
    static func tls(_ trust: TLSTrust) async throws -> NIOSSLContext {
        let result = await runBlocking { () -> Result<NIOSSLContext, any Error> in
            Result { try NIOSSLContext(configuration: trust.configuration()) }
        }
        do {
            guard let result else { throw CancellationError() }
            return try result.get()
        } catch let error as TransportError {
            throw error
        } catch is CancellationError {
            throw CancellationError()
        } catch {
            throw TransportError(.tls, "The certificates of this system cannot be read.")
        }
    }
}
