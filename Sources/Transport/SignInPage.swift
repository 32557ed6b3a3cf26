/// A page of the network that wants somebody to log in, in the place of the host that was asked for (a “captive portal”).
package enum SignInPage {
    /// Says so, as the end of a sentence.
    package static let suspicion = "a login page of the network seems to be in the way"

    /// Whether an answer is rather one of those than the host's: 511 is made for it (RFC 6585 §6); most redirect, or answer with a page
    /// as if it were what was asked for. Hosts that speak JSON do neither.
    package static func isLikely(status: Int, contentType: String?) -> Bool {
        switch status {
        case 511, 300..<400: true
        case 200..<300: contentType?.lowercased().contains("html") ?? false
        default: false
        }
    }
}
