import ServiceKit
import SuprSend
import Translation

extension HostCheck {
    /// The result of probing a host.
    init(_ host: SuprSendFacts.Host, _ service: SuprSendService) {
        let (purpose, key, url) =
            switch host.observation.host {
            case .hub: (translated("preferences"), "hub_url", service.hubURL)
            case .api: (translated("notifications"), "api_url", service.apiURL)
            case .socket: (translated("realtime events"), "socket_url", service.socketURL)
            }
        self.init(
            purpose: purpose,
            url: host.observation.url,
            key: url.map { _ in key },
            outcome: Outcome(host.observation.outcome),
            duration: host.observation.duration,
            certificates: host.certificates,
            proxy: host.proxy,
            acceptsConnections: host.acceptsConnections
        )
    }
}

extension HostCheck.Outcome {
    fileprivate init(_ outcome: ServiceProbe.Observation.Outcome) {
        switch outcome {
        case .accepted: self = .answered
        case .failed(let error): self = .failed(error)
        case .refused(let error):
            switch error.kind {
            case .unexpectedAnswer: self = .foreign(error.message, status: error.status)
            case .serverFailure: self = .serviceFailed(error.message)
            case .rateLimited: self = .rateLimited(error.message)
            default: self = .answered
            }
        }
    }
}
