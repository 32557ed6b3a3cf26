import DBus
import Logging

extension Bus {
    /// Sends signals at once. A failure is logged and no more: it is the connection's. For the bus's executor.
    nonisolated func sendSignals(_ logger: Logger, _ body: @Sendable (isolated Bus) throws(DBusError) -> Void) {
        assumeIsolated { bus in
            do throws(DBusError) { try body(bus) } catch {
                logger.debug("signal not sent", metadata: ["error": "\(error)"])
            }
        }
    }
}
