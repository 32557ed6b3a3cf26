import FoundationEssentials
import Testing

@testable import Agent

@Suite struct SessionStartTests {
    /// The files of an installation and of a user, in a directory of their own.
    private struct Home {
        let directory: String
        var isSystemd = true
        var sessions: SessionStart {
            SessionStart(
                environment: [
                    "HOME": directory, "XDG_CONFIG_DIRS": "\(directory)/xdg", "XDG_DATA_DIRS": "\(directory)/share",
                ],
                isSystemd: isSystemd,
                systemDirectories: ["\(directory)/etc", "\(directory)/lib"]
            )
        }

        static let unit = "feedbell.service"
        static let link = "graphical-session.target.wants/feedbell.service"
        static let ownUnits = ".config/systemd/user"
        static let ownEntry = ".config/autostart/org.feedbell.Agent.desktop"
        static let systemEntry = "xdg/autostart/org.feedbell.Agent.desktop"
        static let entryText = "[Desktop Entry]\nName=Feedbell\nExec=feedbell-agent\n"

        static func with(_ body: (Home) throws -> Void) throws {
            let directory = FileManager.default.temporaryDirectory.path + "/feedbell-\(UUID().uuidString)"
            defer { try? FileManager.default.removeItem(atPath: directory) }
            try body(Home(directory: directory))
        }

        private func prepare(_ name: String) throws -> String {
            let path = "\(directory)/\(name)"
            try FileManager.default.createDirectory(
                atPath: String(path[..<path.lastIndex(of: "/")!]),
                withIntermediateDirectories: true
            )
            return path
        }

        func write(_ name: String, _ text: String = "") throws {
            try Data(text.utf8).write(to: URL(filePath: try prepare(name)))
        }

        func link(_ name: String, to target: String) throws {
            try FileManager.default.createSymbolicLink(atPath: try prepare(name), withDestinationPath: target)
        }

        func text(_ name: String) -> String? {
            FileManager.default.contents(atPath: "\(directory)/\(name)").map { String(decoding: $0, as: UTF8.self) }
        }

        func target(_ name: String) -> String? {
            try? FileManager.default.destinationOfSymbolicLink(atPath: "\(directory)/\(name)")
        }

        /// As a package installs it.
        func installPackage() throws {
            try write("lib/\(Self.unit)")
            try link("etc/\(Self.link)", to: "\(directory)/lib/\(Self.unit)")
            try write(Self.systemEntry, Self.entryText)
        }

        /// As `packaging/install --user` installs it.
        func installForUser() throws {
            try write("\(Self.ownUnits)/\(Self.unit)")
            try link("\(Self.ownUnits)/\(Self.link)", to: "\(directory)/\(Self.ownUnits)/\(Self.unit)")
            try write(Self.ownEntry, Self.entryText)
        }
    }

    @Test("The sessions of a package's user are switched off and on, and leave no file") func package() throws {
        try Home.with { home in
            try home.installPackage()
            #expect(home.sessions.isOn)
            for _ in 0..<2 {
                try home.sessions.set(false)
                #expect(!home.sessions.isOn)
                #expect(home.target("\(Home.ownUnits)/\(Home.link)") == "/dev/null")
                #expect(home.text(Home.ownEntry)?.contains("Hidden=true\nName=Feedbell\n") == true)
            }
            for _ in 0..<2 {
                try home.sessions.set(true)
                #expect(home.sessions.isOn)
                #expect(home.target("\(Home.ownUnits)/\(Home.link)") == nil && home.text(Home.ownEntry) == nil)
            }
            #expect(home.text(Home.systemEntry) == Home.entryText)
        }
    }

    @Test("The sessions of a user with an own installation are switched off and on") func ownInstallation() throws {
        try Home.with { home in
            try home.installForUser()
            #expect(home.sessions.isOn)
            try home.sessions.set(false)
            #expect(!home.sessions.isOn && home.target("\(Home.ownUnits)/\(Home.link)") == "/dev/null")
            try home.sessions.set(true)
            #expect(home.sessions.isOn && home.text(Home.ownEntry) == Home.entryText)
            #expect(home.target("\(Home.ownUnits)/\(Home.link)") == "\(home.directory)/\(Home.ownUnits)/\(Home.unit)")
        }
    }

    @Test("A unit that systemctl has disabled or masked is off, and can be switched on") func systemctl() throws {
        try Home.with { home in
            try home.write("lib/\(Home.unit)")
            #expect(!home.sessions.isOn)
            try home.sessions.set(true)
            #expect(home.sessions.isOn)
        }
        try Home.with { home in
            try home.installPackage()
            try home.link("\(Home.ownUnits)/\(Home.unit)", to: "/dev/null")
            #expect(!home.sessions.isOn)
            try home.sessions.set(true)
            #expect(home.sessions.isOn && home.target("\(Home.ownUnits)/\(Home.unit)") == nil)
        }
    }

    @Test("On a system without systemd the entry decides, although the unit is installed and not enabled")
    func installationWithoutSystemd() throws {
        try Home.with { home in
            try home.write("\(Home.ownUnits)/\(Home.unit)")
            try home.write(Home.ownEntry, Home.entryText)
            #expect(!home.sessions.isOn)
            var other = home
            other.isSystemd = false
            #expect(other.sessions.isOn)
            try other.sessions.set(false)
            #expect(!other.sessions.isOn && !home.sessions.isOn)
            try other.sessions.set(true)
            #expect(other.sessions.isOn && home.sessions.isOn)
        }
    }

    @Test("Without systemd the autostart entry decides, also one that a desktop's settings have hidden") func entry()
        throws
    {
        try Home.with { home in
            try home.write(Home.systemEntry, Home.entryText)
            #expect(home.sessions.isOn)
            try home.write(Home.ownEntry, "[Desktop Entry]\nName=Mine\nHidden = true\n\n[Other]\nHidden=true\n")
            #expect(!home.sessions.isOn)
            try home.sessions.set(true)
            #expect(
                home.sessions.isOn && home.text(Home.ownEntry) == "[Desktop Entry]\nName=Mine\n\n[Other]\nHidden=true\n"
            )
        }
    }

    @Test("A link to a unit that is gone starts nothing") func removed() throws {
        try Home.with { home in
            try home.link("\(Home.ownUnits)/\(Home.link)", to: "\(home.directory)/lib/\(Home.unit)")
            #expect(!home.sessions.isOn)
        }
    }

    @Test("What is not installed for sessions, or cannot be written, is refused with a sentence") func refusals() throws
    {
        try Home.with { home in
            #expect {
                try home.sessions.set(true)
            } throws: {
                "\($0)".contains("neither the unit feedbell.service nor the autostart entry")
            }
            try home.write("lib/\(Home.unit)")
            try home.write(".config/systemd")
            #expect {
                try home.sessions.set(true)
            } throws: {
                "\($0)".contains("\(home.directory)/.config/systemd/user")
            }
        }
    }
}
