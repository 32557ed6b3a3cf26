import Glibc
import VisibleText

/// What the environment of the process says about the user's session.
struct SessionEnvironment {
    /// The number of the user that the process runs as.
    var user: UInt32
    /// The value of a variable; nil: it is missing or empty.
    var variable: (String) -> String?
    /// The number of the user who owns a file; nil: there is none.
    var owner: (String) -> UInt32?

    static var current: SessionEnvironment {
        SessionEnvironment(user: geteuid()) { name in
            getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
        } owner: { path in
            var status = stat()
            return stat(path, &status) == 0 ? status.st_uid : nil
        }
    }

    /// The user's runtime directory where systemd-logind makes it (pam_systemd(8), "$XDG_RUNTIME_DIR").
    private var ownDirectory: String { "/run/user/\(user)" }

    /// The value of `XDG_RUNTIME_DIR` where both variables of the session bus are missing, as in a job of cron; nil:
    /// one is set, or the user has no bus there.
    var missingDirectory: String? {
        guard variable("DBUS_SESSION_BUS_ADDRESS") == nil, variable("XDG_RUNTIME_DIR") == nil,
            owner(ownDirectory) == user, owner(ownDirectory + "/bus") == user
        else { return nil }
        return ownDirectory
    }

    /// What to do if the session bus cannot be used, in sentences.
    var advice: String {
        if let directory = variable("XDG_RUNTIME_DIR"), let owner = owner(directory), owner != user {
            return translated(
                "XDG_RUNTIME_DIR is that of another user. Run feedbell without sudo, or with your own: {command}",
                ["command": "env -u DBUS_SESSION_BUS_ADDRESS XDG_RUNTIME_DIR=\(ownDirectory) feedbell …"]
            )
        }
        if variable("SUDO_USER") != nil {
            return translated(
                "sudo runs feedbell as a user who has no session. Run it without sudo, or as the user of the session."
            )
        }
        return translated("Run feedbell while you are logged in to a desktop session.")
    }

    /// Sets the variable that is missing, also for the programs that this one runs.
    static func complete() {
        if let directory = current.missingDirectory { setenv("XDG_RUNTIME_DIR", directory, 1) }
    }
}
