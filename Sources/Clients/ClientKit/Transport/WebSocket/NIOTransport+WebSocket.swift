import Logging
import NIOCore
import NIOPosix

extension NIOTransport {
    package func withConnection<Result: Sendable>(
        to url: String,
        timeout: Duration,
        _ body: (any WebSocketConnection) async throws -> Result
    ) async throws -> Result {
        let endpoint = try Endpoint(url)
        let route = try await route(to: endpoint)
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
            tls: route.endpoint.isSecure ? try await trust.context(for: route.endpoint) : nil,
            maximumMessageSize: options.maximumMessageSize,
            eventLoop: eventLoop
        )
        do {
            return try await network.interruptible {
                opening.giveUp(with: .shutDown)
            } _: {
                try await withTaskCancellationHandler {
                    try await opening.open(timeout: TimeAmount(timeout), network).get()
                } onCancel: {
                    opening.giveUp(with: .cancelled(host: route.endpoint.host))
                }
            }
        } catch {
            throw await explained(error, on: route)
        }
    }
}
