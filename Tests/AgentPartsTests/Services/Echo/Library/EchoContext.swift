import ClientKit
import Logging

/// The context that all requests of an account share.
struct EchoContext: ClientContext {
    typealias Failure = EchoError

    /// The base URL of the service.
    let url: String
    /// The language of the preferences' names.
    let language: String
    let http: any HTTPTransport
    let webSocket: any WebSocketTransport
    let environment: ClientEnvironment
    let logger: Logger
    let lifetime = ClientLifetime()
    let pause: RequestPause

    init(url: String, language: String, transport: NIOTransport, environment: ClientEnvironment, logger: Logger) {
        self.url = url
        self.language = language
        http = transport
        webSocket = transport
        self.environment = environment
        self.logger = logger
        pause = RequestPause(clock: environment.clock)
    }

    var socketURL: String { url.replacing("http", with: "ws", maxReplacements: 1) + "/socket" }
}
