/// How a transport behaves.
package struct TransportOptions: Sendable, Equatable {
    /// A PEM file with certificates that are trusted besides the system's.
    package var extraCAFile: String?
    /// The longest WebSocket message, in bytes.
    package var maximumMessageSize: Int

    package init(extraCAFile: String? = nil, maximumMessageSize: Int = 4 << 20) {
        self.extraCAFile = extraCAFile
        self.maximumMessageSize = maximumMessageSize
    }
}
