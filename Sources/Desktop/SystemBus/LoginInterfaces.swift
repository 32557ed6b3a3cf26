package import DBus

/// `org.freedesktop.login1.Manager` of systemd-logind or elogind, the members we use (org.freedesktop.login1(5)).
package enum LoginManager: Interface {
    package static let busName: BusName = "org.freedesktop.login1"
    package static let path: ObjectPath = "/org/freedesktop/login1"
    package static let name: InterfaceName = "org.freedesktop.login1.Manager"

    /// Holds something up for as long as the returned descriptor is open.
    package static let inhibit = Method(
        "Inhibit",
        in: (Argument<String>("what"), Argument<String>("who"), Argument<String>("why"), Argument<String>("mode")),
        out: (Argument<UnixDescriptor>("pipe_fd"))
    )
    /// The session of that id; `auto`: the caller's, or the one its user sits at.
    package static let getSession = Method(
        "GetSession",
        in: (Argument<String>("session_id")),
        out: (Argument<ObjectPath>("object_path"))
    )
    /// True: the machine is about to sleep, as soon as nobody delays it any more. False: it is awake again.
    package static let prepareForSleep = Signal("PrepareForSleep", (Argument<Bool>("start")))
    /// What ``prepareForSleep`` told last.
    package static let preparingForSleep = Property<Bool>("PreparingForSleep", .read, emitsChange: .none)
    package static let members: [any Member] = [inhibit, getSession, prepareForSleep, preparingForSleep]
}

/// `org.freedesktop.login1.Session`, the member we use.
package enum LoginSession: Interface {
    package static let name: InterfaceName = "org.freedesktop.login1.Session"

    /// Whether the session is locked, as its screen locker tells logind.
    package static let lockedHint = Property<Bool>("LockedHint", .read, emitsChange: .value)
    package static let members: [any Member] = [lockedHint]
}
