/// How often the client pings a silent server, as a value.
///
/// Less than a minute, because many gateways close a connection that is idle for a minute, and not much less, because
/// each ping wakes the computer. A router that forgets connections sooner, without a word, causes silent losses.
package struct PingInterval: Sendable, Equatable {
    /// The connections in a row that ended in silence.
    private var losses = 0

    package init() {}

    /// The time without a frame before a ping.
    package var duration: Duration {
        switch losses {
        case ..<2: .seconds(40)
        case 2: .seconds(20)
        default: .seconds(15)
        }
    }

    /// A connection ended, because neither a frame nor an answer to a ping arrived.
    package mutating func connectionWasSilent() { losses += 1 }
}
