/// A kind of fault that a ``Simulation`` injects between a service, its client and the user.
package enum Fault: String, Sendable, CaseIterable {
    /// The connection is closed, and the service sends afterwards what came meanwhile, if it can.
    case drops
    /// The connection is dead, and the client notices it only later.
    case silentDrops
    /// The events of the time without a connection are lost.
    case lostEvents
    case doubledEvents
    case lateEvents
    /// Events of different notifications overtake each other.
    case reorderedEvents
    /// The service refuses a request.
    case refusals
    /// The service performs a request, and its answer is lost.
    case lostAnswers
    /// Answers take any time, and come in any order.
    case lateAnswers
    /// A gateway answers with 502 or 504 for a while. With 504 the service may have performed the request.
    case gatewayErrors
    /// The service asks for a pause (`Retry-After`).
    case rateLimits
    /// The token is no longer valid, until the client gets another one.
    case tokenChanges
    /// The wall clock is set.
    case clockJumps
    /// The host sleeps: the client ends its work, and continues later.
    case suspensions
    /// The client is killed, and started again with what is on disk.
    case kills
    /// Nothing can be written to disk for a while.
    case fullDisk
    /// The notification server does not answer for a while.
    case silentPopupServer
    /// Another device of the user makes changes.
    case otherDevice
    /// Another device makes changes between the pages of a list.
    case shiftingPages

    /// The faults of a network and a service, which every client meets.
    package static let ofNetwork: Set<Fault> = [
        .drops, .silentDrops, .lostEvents, .doubledEvents, .lateEvents, .reorderedEvents, .refusals, .lostAnswers,
        .lateAnswers, .gatewayErrors, .rateLimits, .tokenChanges, .suspensions, .otherDevice, .shiftingPages,
    ]
}
