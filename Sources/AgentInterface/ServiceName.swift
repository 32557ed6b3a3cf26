/// The services that an account can be of, by the names in the configuration and on the bus.
package enum ServiceName: String, CaseIterable, Sendable {
    case suprsend
}
