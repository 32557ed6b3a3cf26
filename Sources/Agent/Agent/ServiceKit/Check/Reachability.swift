package import AgentInterface
import ClientKit
package import FoundationEssentials
import VisibleText

/// Whether the hosts of an account can be reached and belong to the service, and what to do if not.
package struct Reachability: Sendable {
    package var account: String
    /// The service's name to display.
    package var service: String
    /// By this computer's clock.
    package var now: Date
    /// Why the configured file of certificate authorities is unusable; nil: it is usable, or there is none.
    package var caFileProblem: String?
    package var hosts: [HostCheck]

    package init(account: String, service: String, now: Date, caFileProblem: String?, hosts: [HostCheck]) {
        self.account = account
        self.service = service
        self.now = now
        self.caFileProblem = caFileProblem
        self.hosts = hosts
    }

    /// A finding for each host; one for all if they fail in the same way.
    package var findings: [Finding] {
        let errors = hosts.compactMap(\.error)
        if let problem = caFileProblem ?? errors.first(where: { $0.cause == .unusableCAFile })?.detail {
            let remedy = translated(
                "Correct \"ca_file\" of [accounts.{account}], or that file.",
                ["account": account.tomlKey]
            )
            return [finding(.problem, problem, remedy)] + reachability(except: .unusableCAFile)
        }
        if let problem = errors.first(where: { $0.cause == .noAuthorities })?.detail {
            let remedy = translated(
                "Install the package ca-certificates, or name a file with certificate authorities: in SSL_CERT_FILE, "
                    + "or in \"ca_file\" of [accounts.{account}].",
                ["account": account.tomlKey]
            )
            return [finding(.problem, problem, remedy)] + reachability(except: .noAuthorities)
        }
        let proxy = hosts.first?.proxy
        if errors.count == hosts.count, let cause = errors.first?.cause, errors.allSatisfy({ $0.cause == cause }),
            hosts.allSatisfy({ $0.proxy == proxy }),
            cause == .unknownName || cause == .noRoute || cause == .connectionRefused && proxy != nil
        {
            let sentence = translated(
                "Cannot reach {service}: {reason} Its other hosts fail in the same way.",
                ["service": service, "reason": errors[0].detail]
            )
            return [finding(.problem, sentence, proxy.map(Self.correction) ?? Self.isOnline)]
        }
        return hosts.map(reachability)
    }

    private func reachability(except cause: TransportError.Cause) -> [Finding] {
        hosts.filter { $0.error?.cause != cause }.map(reachability)
    }

    private func reachability(_ host: HostCheck) -> Finding {
        switch host.outcome {
        case .answered: return reached(host)
        case .foreign(let message, let status):
            let sentence = translated(
                "The server for {purpose} at {host} is not {service}. {reason}",
                ["purpose": host.purpose, "host": host.name, "service": service, "reason": message]
            )
            let isSignInPage = status.map { SignInPage.isLikely(status: $0, contentType: "text/html") } ?? true
            return finding(.problem, sentence, isSignInPage ? wrongServerAdvice(host) : otherServer(host))
        case .serviceFailed(let message):
            let sentence = translated(
                "{host}, for {purpose}, has a problem. {reason}",
                ["host": host.name, "purpose": host.purpose, "reason": message]
            )
            return finding(.problem, sentence, translated("Retry later."))
        case .rateLimited(let message):
            return finding(.warning, message, translated("Wait a minute, then retry."))
        case .failed(let error):
            let (reason, remedy) = failure(error, of: host)
            let sentence = translated(
                "Cannot reach the server for {purpose}: {reason}",
                ["purpose": host.purpose, "reason": reason]
            )
            return finding(.problem, sentence, remedy)
        }
    }

    private func reached(_ host: HostCheck) -> Finding {
        let (seconds, attoseconds) = host.duration.components
        let milliseconds = seconds * 1000 + attoseconds / 1_000_000_000_000_000
        let values = [
            "host": host.name, "purpose": host.purpose, "milliseconds": "\(milliseconds)", "proxy": host.proxy ?? "",
        ]
        let sentence =
            host.proxy == nil
            ? translated("{host} answers for {purpose} ({milliseconds} ms).", values)
            : translated("{host} answers for {purpose} ({milliseconds} ms), through the proxy {proxy}.", values)
        return finding(.ok, sentence)
    }

    /// Why, and what to do.
    private func failure(_ error: TransportError, of host: HostCheck) -> (String, String) {
        let address = address(host)
        // A proxy resolves and connects to the host itself: failures before that concern the proxy.
        if let proxy = host.proxy, [.unknownName, .connectionRefused, .noRoute].contains(error.cause) {
            return (error.detail, Self.correction(of: proxy))
        }
        return switch (error.kind, error.cause) {
        case (_, .unknownName): (error.detail, words(Self.isOnline, address))
        case (_, .connectionRefused):
            (error.detail, words(address, translated("A firewall may also reject the connection.")))
        case (_, .noRoute):
            (error.detail, translated("Connect this computer to a network with a route to the host."))
        case (.timeout, _) where host.acceptsConnections:
            (
                host.isSecure
                    ? translated(
                        "{host} accepts connections, but does not answer as a server for TLS does.",
                        ["host": host.name]
                    )
                    : translated("{host} accepts connections, but does not answer.", ["host": host.name]),
                words(
                    address,
                    host.isSecure ? Self.plainPort : nil,
                    translated("The host may be overloaded: retry later.")
                )
            )
        case (.timeout, _):
            (error.detail, words(translated("A firewall may drop the connection, or the host is down."), address))
        case (_, .untrustedCertificate): distrust(host) ?? (error.detail, Self.foreignAuthority)
        case (.invalidURL, _), (.insecure, _): (error.detail, words(address))
        case (.proxy(status: 407?), _):
            (
                error.detail,
                translated("Put user and password before the host: http://USER:PASSWORD@HOST:PORT.")
            )
        case (.proxy, _):
            (
                error.detail,
                words(
                    translated("Check that the proxy allows this host and can reach it."),
                    address,
                    Self.exception
                )
            )
        case (.unreachable, _), (.cancelled, _), (.shutDown, _): (error.detail, words(translated("Retry."), address))
        case (.tls, .noTLS): (error.detail, words(address, Self.plainPort))
        case (.refused, let cause) where cause != .signInPage: (error.detail, otherServer(host))
        case (.tls, _), (.refused, _), (.protocolViolation, _), (.tooLarge, _), (.closed, _):
            (error.detail, wrongServerAdvice(host))
        }
    }

    /// Why the certificate is not trusted, from its dates and names.
    private func distrust(_ host: HostCheck) -> (String, String)? {
        guard let own = host.certificates.first else { return nil }
        let clock = translated("Check this computer's clock. If it is right, contact the operator of the host.")
        var values = ["host": host.name]
        // The certificate was checked with this computer's clock.
        if let end = host.certificates.map(\.notAfter).min(), end < now {
            values["span"] = ApproximateDuration(seconds: now.timeIntervalSince(end)).text
            return (translated("the certificate of {host} expired {span} ago.", values), clock)
        }
        if let start = host.certificates.map(\.notBefore).max(), start > now {
            values["span"] = ApproximateDuration(seconds: start.timeIntervalSince(now)).text
            return (translated("the certificate of {host} becomes valid only in {span}.", values), clock)
        }
        let sentence =
            own.isSelfSigned
            ? translated("the certificate of {host} is self-signed.", values)
            : translated(
                "the certificate of {host} is signed by an authority that this computer does not trust.",
                values
            )
        return (sentence, words(Self.signInAdvice, Self.foreignAuthority))
    }

    private static var signInAdvice: String { translated("Open a web page: the network may require a login.") }

    private static var foreignAuthority: String {
        translated(
            "The connection may be intercepted. If the certificate is your organisation's, add its authority to this "
                + "computer (on Debian: update-ca-certificates). Install the package ca-certificates if it is missing."
        )
    }

    private func wrongServerAdvice(_ host: HostCheck) -> String {
        words(Self.signInAdvice, address(host))
    }

    private func otherServer(_ host: HostCheck) -> String {
        words(
            address(host).map { words($0, translated("Another web server answers there.")) },
            translated("A gateway may answer instead of the host: then retry later.")
        )
    }

    private static var isOnline: String { translated("Check that this computer is online.") }

    private static var plainPort: String { translated("The port may be for http and ws instead of https and wss.") }

    private static var exception: String { translated("To connect without the proxy, add the host to no_proxy.") }

    private static func correction(of proxy: String) -> String {
        let check = translated(
            "Check the proxy {proxy} and what sets it.",
            ["proxy": proxy]
        )
        return translatedParagraph([check, exception])
    }

    /// The key to check in the configuration; nil for a default address.
    private func address(_ host: HostCheck) -> String? {
        host.key.map {
            translated("Check \"{key}\" of [accounts.{account}].", ["key": $0, "account": account.tomlKey])
        }
    }

    private func finding(_ level: Finding.Level, _ sentence: String, _ remedy: String? = nil) -> Finding {
        Finding(.network, level, account: account, sentence, remedy: remedy)
    }

    private func words(_ sentences: String?...) -> String { translatedParagraph(sentences) }
}
