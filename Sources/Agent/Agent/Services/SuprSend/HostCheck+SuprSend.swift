import SuprSend
import VisibleText

extension HostCheck {
    /// The result of probing a host.
    init(_ host: SuprSendFacts.Host, _ service: SuprSendService) {
        let (purpose, key, url) =
            switch host.observation.host {
            case .hub: (translated("preferences"), "hub_url", service.hubURL)
            case .api: (translated("notifications"), "api_url", service.apiURL)
            case .socket: (translated("realtime events"), "socket_url", service.socketURL)
            }
        let outcome: Outcome =
            switch host.observation.outcome {
            case .accepted: .answered
            case .failed(let error): .failed(error)
            case .refused(let error): Outcome(answer: error)
            }
        self.init(
            purpose: purpose,
            url: host.observation.url,
            key: url.map { _ in key },
            outcome: outcome,
            duration: host.observation.duration,
            certificates: host.certificates,
            proxy: host.proxy,
            acceptsConnections: host.acceptsConnections
        )
    }
}
