import ClientKit

/// A message of Ably's realtime protocol.
package struct ProtocolMessage: Sendable, Equatable {
    package var action: Int

    package init(action: Int) { self.action = action }
}
