import AgentInterface
import VisibleText

/// Whether a service accepts an account, from the findings of its check.
enum AccountVerdict: Equatable, Sendable {
    case accepted
    /// The token or the credentials are wrong, in sentences; `options`: one of these options has the wrong value.
    case refused(String, options: [String])
    /// The service did not answer, in sentences.
    case unverified(String)

    /// - Parameter isTokenStored: Whether the token's source exists. If not, remedies about it are of no use.
    init(_ findings: [Finding], isTokenStored: Bool) {
        if let refusal = findings.first(where: \.isRefusal) {
            let sentences = refusal.sentences(hasRemedy: isTokenStored || refusal.topic != .token)
            self = .refused(sentences, options: refusal.options)
        } else if let problem = findings.first(where: { $0.topic == .network && $0.level != .ok }) {
            self = .unverified(problem.sentences(hasRemedy: true))
        } else {
            self = .accepted
        }
    }
}

extension Finding {
    /// Whether the finding is about wrong values of the account. Unknown users are only a warning for `doctor`, as a
    /// service may get to know them later.
    fileprivate var isRefusal: Bool {
        switch topic {
        case .credentials: level != .ok
        case .token, .configuration: level == .problem
        default: false
        }
    }

    fileprivate func sentences(hasRemedy: Bool) -> String {
        translatedParagraph([sentence, hasRemedy ? remedy : nil])
    }
}
