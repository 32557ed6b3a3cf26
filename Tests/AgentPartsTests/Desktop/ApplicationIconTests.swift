import Testing

@testable import Agent

@Suite struct ApplicationIconTests {
    private static let png = "/icons/hicolor/128x128/apps/x.png"
    private static let svg = "/icons/hicolor/scalable/apps/x.svg"

    private func icon(_ files: String...) -> ApplicationIcon {
        ApplicationIcon(name: "x", dataDirectories: ["/home", "/usr"], ownDirectories: ["/opt"]) { files.contains($0) }
    }

    @Test("An icon in the theme is sent as a name, or as a path to servers that need one") func inTheme() {
        let icon = icon("/usr" + Self.svg, "/usr" + Self.png, "/opt" + Self.png)
        #expect(icon.argument(needsPath: false) == "x")
        #expect(icon.argument(needsPath: true) == "/usr" + Self.png)
    }

    @Test("An icon that desktops do not find is sent as a path") func elsewhere() {
        let icon = icon("/opt" + Self.svg)
        #expect(icon.argument(needsPath: false) == "/opt" + Self.svg)
    }

    @Test("Without a file the name is sent") func missing() {
        #expect(icon().argument(needsPath: true) == "x")
    }

    @Test("Relative data directories are ignored") func relative() {
        let icon = ApplicationIcon.installed("x", environment: ["XDG_DATA_HOME": "a", "XDG_DATA_DIRS": "b:c"])
        #expect(icon.argument(needsPath: false) == "x")
        #expect(icon.path == nil)
    }
}
