import FoundationEssentials
import Glibc

/// Whether the user's sessions start the agent. It can be started by D-Bus in any case.
///
/// With systemd, a session starts it by the unit, which `graphical-session.target` wants
/// ([systemd.unit(5)](https://www.freedesktop.org/software/systemd/man/latest/systemd.unit.html): the first directory
/// that has the link decides, and a link to /dev/null means that it is not wanted), or, if the desktop does not use
/// systemd, by an entry in an autostart directory. Without systemd only the entry counts. Both are switched together,
/// in the user's own directories.
package struct SessionStart: Sendable {
    package struct Failure: Error, Equatable, Sendable, CustomStringConvertible {
        package let description: String
    }

    private static let unit = "feedbell.service"
    private static let link = "graphical-session.target.wants/\(unit)"
    private static let entry = "org.feedbell.Agent.desktop"
    private static let nothing = "/dev/null"

    /// Directories with units, and with autostart entries. The user's own ones are the first.
    private let units: [String]
    private let entries: [String]
    private let isSystemd: Bool

    /// - Parameters:
    ///   - isSystemd: Whether the system runs systemd, as sd_booted(3) finds out.
    ///   - systemDirectories: Where administrators and distributions install units.
    package init(
        environment: [String: String],
        isSystemd: Bool = access("/run/systemd/system", F_OK) == 0,
        systemDirectories: [String] = ["/etc/systemd/user", "/usr/local/lib/systemd/user", "/usr/lib/systemd/user"]
    ) {
        let home = environment["HOME"] ?? ""
        func directories(_ variable: String, _ standard: String) -> [String] {
            let value = environment[variable] ?? ""
            return (value.isEmpty ? standard : value).split(separator: ":").map(String.init).filter { $0.first == "/" }
        }
        let own = Array(directories("XDG_CONFIG_HOME", "\(home)/.config").prefix(1))
        let configuration = own + directories("XDG_CONFIG_DIRS", "/etc/xdg")
        let data =
            directories("XDG_DATA_HOME", "\(home)/.local/share").prefix(1)
            + directories("XDG_DATA_DIRS", "/usr/local/share:/usr/share")
        units = (configuration + data).map { "\($0)/systemd/user" } + systemDirectories
        entries = configuration.map { "\($0)/autostart" }
        self.isSystemd = isSystemd
    }

    /// Whether sessions start the agent.
    package var isOn: Bool {
        let entry = entryStarts
        let answers = [isSystemd || entry == nil ? unitStarts : nil, entry].compactMap(\.self)
        return !answers.isEmpty && answers.allSatisfy(\.self)
    }

    /// nil: there is no unit.
    private var unitStarts: Bool? {
        guard let unit = Self.first(Self.unit, in: units) else { return nil }
        guard !Self.isNothing(unit), let link = Self.first(Self.link, in: units) else { return false }
        return !Self.isNothing(link)
    }

    /// nil: there is no entry.
    private var entryStarts: Bool? {
        Self.first(Self.entry, in: entries).flatMap(Self.text).map { !AutostartEntry($0).isHidden }
    }

    package func set(_ isOn: Bool) throws(Failure) {
        guard unitStarts != nil || entryStarts != nil else {
            throw Failure(
                description: "Sessions cannot start Feedbell as it is installed: there is neither the unit "
                    + "\(Self.unit) nor the autostart entry \(Self.entry). Install a package, or use packaging/install."
            )
        }
        do {
            if unitStarts != nil { try isOn ? wantUnit() : makeLink(to: Self.nothing) }
            if entryStarts != nil { try setEntry(isHidden: !isOn) }
        } catch let failure as PrivateFile.Failure {
            throw Failure(description: failure.description)
        } catch {
            throw Failure(description: "\(error)")
        }
    }

    // MARK: The unit

    private func wantUnit() throws {
        for name in [Self.unit, Self.link] {
            let own = try own(name, in: units)
            if Self.isNothing(own) { try Self.check(unlink(own), own) }
        }
        guard Self.first(Self.link, in: units) == nil, let unit = Self.first(Self.unit, in: units) else { return }
        // An administrator's link, or that of a package, is missing: the user's own installation, or a disabled unit.
        try makeLink(to: unit)
    }

    private func makeLink(to target: String) throws {
        let link = try own(Self.link, in: units)
        try FileManager.default.createDirectory(
            atPath: String(link.dropLast(Self.unit.count)),
            withIntermediateDirectories: true
        )
        let new = "\(link).new"
        unlink(new)
        try Self.check(symlink(target, new), new)
        try Self.check(rename(new, link), link)
    }

    // MARK: The autostart entry

    private func setEntry(isHidden: Bool) throws {
        let own = try own(Self.entry, in: entries)
        guard let present = Self.first(Self.entry, in: entries), let text = Self.text(of: present) else { return }
        var entry = AutostartEntry(text)
        if entry.isHidden == isHidden { return }
        entry.isHidden = isHidden
        let others = Array(entries.dropFirst())
        if entry.text == Self.first(Self.entry, in: others).flatMap(Self.text) {
            return try Self.check(unlink(own), own)
        }
        let file = PrivateFile(own)
        try file.makeDirectory()
        try file.replace(with: entry.text)
    }

    // MARK: Files

    /// The user's own file.
    private func own(_ name: String, in directories: [String]) throws -> String {
        guard let directory = directories.first else { throw Failure(description: "The variable HOME is not set.") }
        return "\(directory)/\(name)"
    }

    /// The first file with this name. A link to a file that is gone is none.
    private static func first(_ name: String, in directories: [String]) -> String? {
        directories.lazy.map { "\($0)/\(name)" }.first { access($0, F_OK) == 0 }
    }

    private static func text(of path: String) -> String? {
        FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
    }

    private static func isNothing(_ path: String) -> Bool {
        (try? FileManager.default.destinationOfSymbolicLink(atPath: path)) == nothing
    }

    private static func check(_ result: Int32, _ path: String) throws {
        guard result == 0 else {
            throw Failure(description: "Cannot change \(path): \(String(cString: strerror(errno))).")
        }
    }
}
