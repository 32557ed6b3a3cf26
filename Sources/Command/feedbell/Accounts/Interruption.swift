import ArgumentParser
import Glibc
import VisibleText

/// Control-C during a dialogue: nothing is added, and the command ends with 130, as shells report it.
enum Interruption {
    /// From now on, SIGINT does not end the process, and interrupts read(2).
    static func watch() {
        var action = sigaction()
        action.__sigaction_handler.sa_handler = { _ in isRequested = true }
        sigaction(SIGINT, &action, nil)
    }

    /// Throws if SIGINT has arrived.
    static func check() throws(Failure) {
        if isRequested { throw failure }
    }

    static var failure: Failure { Failure(translated("Interrupted. Nothing was changed."), .interrupted) }
}

private nonisolated(unsafe) var isRequested = false
