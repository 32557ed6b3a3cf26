import AgentInterface
import Pictures

extension PictureDecoder {
    /// Why popups have no pictures; nil: they have.
    static func finding(clock: any Clock<Duration>) async -> Finding? {
        guard await find(clock: clock) == nil else { return nil }
        let what = isInstalled ? "does not work" : "is not installed"
        return Finding(
            .notifications,
            .warning,
            "Popups have no pictures, because \(program) \(what).",
            remedy: "Install it (on Debian: libgdk-pixbuf2.0-bin), or write pictures = false below [popups]."
        )
    }
}
