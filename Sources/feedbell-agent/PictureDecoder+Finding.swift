import AgentInterface
import Pictures
import Translation

extension PictureDecoder {
    /// Why popups have no pictures; nil: they have.
    static func finding(clock: any Clock<Duration>) async -> Finding? {
        guard await find(clock: clock) == nil else { return nil }
        return Finding(
            .notifications,
            .warning,
            isInstalled
                ? translated("Popups have no pictures, because {program} does not work.", ["program": program])
                : translated("Popups have no pictures, because {program} is not installed.", ["program": program]),
            remedy: translated(
                "Install it (on Debian: libgdk-pixbuf2.0-bin), or write pictures = false below [popups]."
            )
        )
    }
}
