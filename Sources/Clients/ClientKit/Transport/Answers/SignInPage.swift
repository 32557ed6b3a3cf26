/// A captive portal: the network's login page in place of the requested host.
package enum SignInPage {
    /// The hint for a message, as the end of a sentence.
    package static let hint = "a login page of the network seems to be in the way"

    /// Whether a response is likely from a captive portal: it uses 511 (RFC 6585 §6), a redirect, or an HTML page with
    /// a successful status. Hosts that speak JSON use neither.
    package static func isLikely(status: Int, contentType: String?) -> Bool {
        switch status {
        case 511, 300..<400: true
        case 200..<300: contentType?.lowercased().contains("html") ?? false
        default: false
        }
    }
}
