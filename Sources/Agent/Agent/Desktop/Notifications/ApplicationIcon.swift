import FoundationEssentials
import Glibc

/// The program's icon as notification servers can find it.
package struct ApplicationIcon: Equatable, Sendable {
    /// The name in the icon theme.
    package let name: String
    /// An installed file of it; nil: none was found.
    package let path: String?
    /// Whether desktops find it by its name, because it is in a data directory of theirs.
    package let isInTheme: Bool

    /// Looks for the icon in the theme "hicolor", the one that every theme inherits (Icon Theme Specification).
    ///
    /// - Parameters:
    ///   - name: The name, without an extension.
    ///   - dataDirectories: The directories where desktops look for icons (XDG Base Directory Specification).
    ///   - ownDirectories: Further ones, in which this program may have been installed.
    package init(
        name: String,
        dataDirectories: [String],
        ownDirectories: [String],
        exists: (String) -> Bool = { access($0, R_OK) == 0 }
    ) {
        self.name = name
        func file(in directories: [String]) -> String? {
            // dunst draws a file in its own size, and not every server can draw SVG.
            let files = [
                "48x48/apps/\(name).png", "128x128/apps/\(name).png", "scalable/apps/\(name).svg",
                "symbolic/apps/\(name).svg",
            ]
            return directories.lazy.flatMap { directory in files.map { "\(directory)/icons/hicolor/\($0)" } }
                .first(where: exists)
        }
        let themed = file(in: dataDirectories)
        isInTheme = themed != nil
        path = themed ?? file(in: ownDirectories)
    }

    /// The icon of this program as it is installed.
    package static func installed(
        _ name: String,
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) -> ApplicationIcon {
        func directories(_ variable: String, default standard: String) -> [String] {
            let value = environment[variable].flatMap { $0.isEmpty ? nil : $0 } ?? standard
            return value.split(separator: ":").filter { $0.hasPrefix("/") }.map(String.init)
        }
        let home = environment["HOME"].map { $0 + "/.local/share" } ?? ""
        var own: [String] = []
        if let path = realpath("/proc/self/exe", nil) {
            // In PREFIX/bin; the data directory is PREFIX/share.
            let program = String(cString: path).split(separator: "/").dropLast(2)
            own = ["/" + (program + ["share"]).joined(separator: "/")]
            free(path)
        }
        return ApplicationIcon(
            name: name,
            dataDirectories: directories("XDG_DATA_HOME", default: home)
                + directories("XDG_DATA_DIRS", default: "/usr/local/share:/usr/share"),
            ownDirectories: own
        )
    }

    /// The argument `app_icon` of `Notify`: the name, or the path for a server that does not find the name.
    package func argument(needsPath: Bool) -> String { isInTheme && !needsPath ? name : path ?? name }
}
