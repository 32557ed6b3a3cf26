package import FoundationEssentials
import NIOSSL

/// Properties of a certificate that is not verified.
package struct ServerCertificate: Sendable, Equatable {
    package var notBefore: Date
    package var notAfter: Date
    /// Subject and issuer are equal: no authority signed it.
    package var isSelfSigned: Bool

    package init(notBefore: Date, notAfter: Date, isSelfSigned: Bool) {
        self.notBefore = notBefore
        self.notAfter = notAfter
        self.isSelfSigned = isSelfSigned
    }
}

extension ServerCertificate {
    init(_ certificate: NIOSSLCertificate) {
        self.init(
            notBefore: Date(timeIntervalSince1970: TimeInterval(certificate.notValidBefore)),
            notAfter: Date(timeIntervalSince1970: TimeInterval(certificate.notValidAfter)),
            isSelfSigned: certificate.subjectName == certificate.issuerName
        )
    }
}

extension [ServerCertificate] {
    /// Why these certificates, a server's own first, are not trusted, as the end of a sentence; nil: there are none.
    func reasonForDistrust(at now: Date) -> String? {
        guard let own = first else { return nil }
        // Validity is checked against the clock of this computer.
        if let end = map(\.notAfter).min(), end < now {
            return "its certificate expired on \(Self.day(end)), unless this computer's clock is wrong"
        }
        if let start = map(\.notBefore).max(), start > now {
            return "its certificate is valid only from \(Self.day(start)) on, unless this computer's clock is wrong"
        }
        let reason =
            own.isSelfSigned
            ? "its certificate is self-signed and not trusted by this computer"
            : "its certificate is signed by an authority that this computer does not trust"
        return reason + "; it may be that of a login page of the network"
    }

    private static func day(_ date: Date) -> String { date.formatted(.iso8601.year().month().day()) }
}
