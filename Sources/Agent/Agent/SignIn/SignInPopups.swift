import DBus

/// The popups that ask the user to sign in: at most one for each account, until the account is online again. And those
/// after a sign-in with the browser, which lead back from it.
///
/// A popup is shown once, and again only by another notification server while it is open. A refusal has to last: within
/// five seconds of one, a token that its source has renewed is read.
struct SignInPopups: Sendable {
    /// The time from a refusal to its popup.
    static let delay = Duration.seconds(8)

    /// A popup at a notification server.
    struct Place: Equatable, Sendable {
        /// The server's unique name.
        var server: BusName
        var id: UInt32
    }

    enum Event: Sendable {
        /// All accounts whose services do not let their users in, and those that are trying to connect. An attempt is
        /// no end of a refusal.
        case accounts([String], connecting: [String] = [])
        /// The time of an effect ``Effect/wait(number:)`` is over.
        case waited(number: Int)
        /// Whether popups are held back.
        case held(Bool)
        /// The notification server; nil: there is none.
        case server(BusName?)
        case shown(account: String, Place)
        case notShown(account: String)
        /// The user has signed in with the browser.
        case signedIn(account: String)
        case shownSignedIn(Place)
        /// The activation token of a click that follows.
        case activated(Place, token: String)
        case clicked(Place)
        case closed(Place)
    }

    enum Effect: Equatable, Sendable {
        /// Call ``Event/waited(number:)`` after ``SignInPopups/delay``.
        case wait(number: Int)
        case show(account: String, server: BusName)
        case close(Place)
        /// Say that the user has signed in.
        case showSignedIn(account: String, server: BusName)
        /// The user wants to sign in.
        case signIn(account: String, token: String? = nil)
        case openInbox(token: String?)
    }

    private enum Phase: Equatable {
        case waiting(number: Int)
        case due
        case inFlight
        case open(Place)
        case done
    }

    private var phases: [String: Phase] = [:]
    /// The open popups after sign-ins.
    private var signedIn: [Place] = []
    private var activation: (place: Place, token: String)?
    private var lastNumber = 0
    private var isHeld = false
    private var server: BusName?

    mutating func receive(_ event: Event) -> [Effect] {
        var effects: [Effect] = []
        switch event {
        case .accounts(let accounts, let connecting):
            for (account, phase) in phases where !accounts.contains(account) && !connecting.contains(account) {
                if case .open(let place) = phase { effects.append(.close(place)) }
                phases[account] = nil
            }
            for account in accounts where phases[account] == nil {
                lastNumber += 1
                phases[account] = .waiting(number: lastNumber)
                effects.append(.wait(number: lastNumber))
            }
        case .waited(let number):
            let account = phases.first { $0.value == .waiting(number: number) }?.key
            if let account { phases[account] = .due }
        case .held(let isHeld): self.isHeld = isHeld
        case .server(let server):
            self.server = server
            for (account, phase) in phases {
                if case .open(let place) = phase, place.server != server { phases[account] = .due }
            }
        case .shown(let account, let place):
            guard phases[account] == .inFlight else { return [.close(place)] }
            phases[account] = place.server == server ? .open(place) : .due
        // Its server may have vanished: the next one shows it.
        case .notShown(let account):
            if phases[account] == .inFlight { phases[account] = .due }
            return []
        case .signedIn(let account):
            guard let server, !isHeld else { break }
            effects.append(.showSignedIn(account: account, server: server))
        case .shownSignedIn(let place): signedIn.append(place)
        case .activated(let place, let token): activation = (place, token)
        case .clicked(let place):
            let token = activation?.place == place ? activation?.token : nil
            activation = nil
            if let index = signedIn.firstIndex(of: place) {
                signedIn.remove(at: index)
                return [.close(place), .openInbox(token: token)]
            }
            guard let account = account(at: place) else { return [] }
            phases[account] = .done
            return [.close(place), .signIn(account: account, token: token)]
        case .closed(let place):
            signedIn.removeAll { $0 == place }
            if let account = account(at: place) { phases[account] = .done }
        }
        return effects + due()
    }

    private mutating func due() -> [Effect] {
        guard let server, !isHeld else { return [] }
        let due = phases.filter { $0.value == .due }.keys.sorted()
        for account in due { phases[account] = .inFlight }
        return due.map { .show(account: $0, server: server) }
    }

    private func account(at place: Place) -> String? { phases.first { $0.value == .open(place) }?.key }
}
