import Basics
import FoundationEssentials
import Window

extension SavedWindow {
    private static var directory: String { StateDirectory.path(environment: ProcessInfo.processInfo.environment) }

    private static var file: String { directory + "/window-size" }

    /// nil: the window was not opened before.
    static var last: SavedWindow? {
        FileManager.default.contents(atPath: file).flatMap { SavedWindow(text: String(decoding: $0, as: UTF8.self)) }
    }

    /// Without a place to keep it, the window is as at first the next time.
    func save() {
        if self == Self.last { return }
        try? FileManager.default.createDirectory(
            atPath: Self.directory,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        try? DurableFile(Self.file).replace(with: Array(text.utf8))
    }
}
