import AgentInterface
import ServiceKit
import SuprSend

extension SuprSendFacts {
    /// Whether the hosts can be reached, and what to do if not.
    var reachability: [Finding] {
        Reachability(
            account: account,
            service: SuprSendService.description.title,
            now: now,
            caFileProblem: caFileProblem,
            hosts: hosts.map { HostCheck($0, service) }
        ).findings
    }
}

extension HostCheck {
    fileprivate init(_ host: SuprSendFacts.Host, _ service: SuprSendService) {
        let (purpose, key, url) =
            switch host.observation.host {
            case .hub: ("preferences", "hub_url", service.hubURL)
            case .api: ("notifications", "api_url", service.apiURL)
            case .socket: ("realtime events", "socket_url", service.socketURL)
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
