/// The supported services, by their names in the configuration and on the bus.
package enum ServiceName: String, CaseIterable, Sendable {
    case suprsend
}
