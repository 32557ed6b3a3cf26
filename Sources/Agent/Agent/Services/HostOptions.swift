import AgentInterface
import VisibleText

/// The hosts that several services have.
extension ServiceDescription.Option {
    static var apiURL: Self { url("api-url", host: "API host", label: translated("API Address")) }

    static var socketURL: Self { url("socket-url", host: "realtime host", label: translated("Realtime Address")) }
}
