package import DBus

/// `org.freedesktop.login1.Manager` of systemd-logind or elogind, the members we use (org.freedesktop.login1(5)).
package enum LoginManager: Interface {
    package static let busName: BusName = "org.freedesktop.login1"
    package static let path: ObjectPath = "/org/freedesktop/login1"
    package static let name: InterfaceName = "org.freedesktop.login1.Manager"

    /// Inhibits or delays an operation while the returned descriptor is open.
    package static let inhibit = Method(
        "Inhibit",
        in: (Argument<String>("what"), Argument<String>("who"), Argument<String>("why"), Argument<String>("mode")),
        out: (Argument<UnixDescriptor>("pipe_fd"))
    )
    /// The session with this id; `auto`: the caller's session, else the user's display session.
    package static let getSession = Method(
        "GetSession",
        in: (Argument<String>("session_id")),
        out: (Argument<ObjectPath>("object_path"))
    )
    /// True: the machine sleeps as soon as no inhibitor delays it. False: it is awake again.
    package static let prepareForSleep = Signal("PrepareForSleep", (Argument<Bool>("start")))
    /// The last value of ``prepareForSleep``.
    package static let preparingForSleep = Property<Bool>("PreparingForSleep", .read, emitsChange: .none)
    package static let members: [any Member] = [inhibit, getSession, prepareForSleep, preparingForSleep]
}

/// `org.freedesktop.login1.Session`, the member we use.
package enum LoginSession: Interface {
    package static let name: InterfaceName = "org.freedesktop.login1.Session"

    /// Whether the session is locked, as set by the screen locker.
    package static let lockedHint = Property<Bool>("LockedHint", .read, emitsChange: .value)
    package static let members: [any Member] = [lockedHint]
}
