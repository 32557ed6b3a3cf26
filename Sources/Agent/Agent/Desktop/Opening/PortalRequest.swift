package import DBus

/// A request to the desktop portal, from the call to its end, as a value (XDG Desktop Portal,
/// `org.freedesktop.portal.Request`).
package struct PortalRequest: Sendable {
    package enum Event: Sendable {
        /// The call returned the request's handle: the portal may ask the user now.
        case accepted(ObjectPath)
        case refused(DBusError)
        /// `Response` of any request of this connection.
        case response(UInt32, ObjectPath?)
        /// The portal's connection to the bus has ended.
        case portalEnded
    }

    package enum End: Hashable, Sendable {
        case done
        case cancelledByUser
        /// Nothing was done, and nothing will be.
        case failed
        /// There was no answer, and there will be none: it may be done or not.
        case unanswered
    }

    /// Where the request is if the portal knows `handle_token`. Old ones choose another handle.
    private let expected: ObjectPath
    private var handle: ObjectPath?
    /// The answers that arrived before the handle.
    private var early: [ObjectPath: UInt32] = [:]
    private static let earlyLimit = 16

    package init(expected: ObjectPath) { self.expected = expected }

    /// - Returns: nil: it goes on.
    package mutating func receive(_ event: Event) -> End? {
        switch event {
        case .accepted(let handle):
            self.handle = handle
            return early[handle].map(Self.end)
        case .refused(let error):
            // Without a reply, it may have been received.
            return [.noReply, .timeout, .disconnected, .cancelled].contains(error.name) ? .unanswered : .failed
        case .response(let response, let path?):
            if path == expected || path == handle { return Self.end(response) }
            if handle == nil, early.count < Self.earlyLimit { early[path] = response }
            return nil
        case .response(_, nil): return nil
        case .portalEnded: return .unanswered
        }
    }

    private static func end(_ response: UInt32) -> End {
        switch response {
        case 0: .done
        case 1: .cancelledByUser
        default: .failed
        }
    }
}
