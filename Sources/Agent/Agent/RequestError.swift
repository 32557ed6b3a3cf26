package import AgentInterface

/// An error that is a reply to a request of the command or the window.
package protocol RequestError: Error, CustomStringConvertible {
    var kind: AgentRequest.Failure.Kind { get }
    var reason: String { get }
    /// As in the reply; by default the reason.
    var sentences: String { get }
}

extension RequestError {
    package var sentences: String { reason }
    package var description: String { sentences }
    package var failure: AgentRequest.Failure { AgentRequest.Failure(kind, reason, sentences: sentences) }
}
