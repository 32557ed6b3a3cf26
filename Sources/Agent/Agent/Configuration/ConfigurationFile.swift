import Basics
import FoundationEssentials

/// The configuration on disk: the user's file, the files of programs beside it, and presets.
package struct ConfigurationFile: Sendable {
    /// The maximum size in bytes; larger files are rejected.
    static let limit = 1 << 20

    /// The file that the user writes.
    package var path: String
    /// Whether the user named the file. Only the default file may be missing.
    package var isExplicit: Bool
    /// The supported services.
    package var services: ServiceList
    /// The paths of presets, the most important one first.
    package var presets: [String]

    /// A file that the user named.
    package init(path: String, presets: [String] = [], services: ServiceList) {
        self.path = path
        self.services = services
        self.presets = presets
        isExplicit = true
    }

    /// The file that the user named, or the default one, `$XDG_CONFIG_HOME/feedbell/config.toml`. Presets are
    /// `feedbell/config.toml` in each of `$XDG_CONFIG_DIRS`.
    package init(path: String? = nil, environment: [String: String], services: ServiceList) {
        self.services = services
        let base = environment["XDG_CONFIG_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        self.path = path ?? (base ?? (environment["HOME"] ?? "") + "/.config") + "/feedbell/config.toml"
        isExplicit = path != nil
        let directories = environment["XDG_CONFIG_DIRS"].flatMap { $0.isEmpty ? nil : $0 } ?? "/etc/xdg"
        presets = directories.split(separator: ":").filter { $0.hasPrefix("/") }.map { "\($0)/feedbell/config.toml" }
    }

    // MARK: The files of programs

    /// The directory of the user's file. If the file is a symbolic link, that of the link.
    package var directory: String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "" : String(path[..<slash])
    }

    /// The directory with a file for each account that a program added.
    package var accountsDirectory: String { directory + "/accounts.d" }

    /// The file of an account that a program adds.
    package func path(ofAccount name: String) -> String { "\(accountsDirectory)/\(name.fileName).toml" }

    /// The file for the token of an account without a Secret Service.
    package func tokenPath(ofAccount name: String) -> String { "\(directory)/tokens/\(name.fileName)" }

    /// The file with the settings that programs change.
    package var settingsPath: String { directory + "/settings.toml" }

    // MARK: Reading

    /// Reads all files. A missing default file is an empty one. An account whose file in `accounts.d` cannot be used is
    /// left out; see ``Configuration/unused``.
    ///
    /// - Parameters:
    ///   - current: The configuration that is in use: such an account stays as it is there.
    ///   - clock: Of the time that the file system has.
    package func read(
        from current: Configuration? = nil,
        clock: any Clock<Duration> = ContinuousClock()
    ) async throws(ConfigurationError) -> Configuration {
        try await configuration(of: try await presentFiles(clock: clock), from: current, clock: clock)
    }

    /// Reads all files after a change. A removed or empty file of the user is an error: it may be on its way to another
    /// place, or about to be written.
    ///
    /// - Parameter current: The configuration that is in use.
    func readChanged(
        from current: Configuration,
        clock: any Clock<Duration>
    ) async throws(ConfigurationError) -> Configuration {
        let present = try await presentFiles(clock: clock, mayBeMissing: true)
        let files = present.files
        let text = files.last.flatMap { $0.kind == .personal ? $0.text : nil }
        let isEmpty = text?.allSatisfy(\.isWhitespace) ?? false
        let isRequired = isExplicit && !isEmpty && !files.contains { $0.kind != .preset }
        if text == nil || isEmpty, isRequired || current.paths.contains(path) {
            throw ConfigurationError(
                file: path,
                problem: isEmpty
                    ? "The file is empty. Restore it, or apply the configuration without it with: feedbell reload"
                    : "The file was removed. Restore it, or apply the configuration without it with: feedbell reload"
            )
        }
        return try await configuration(of: present, from: current, clock: clock)
    }

    private func configuration(
        of present: PresentFiles,
        from current: Configuration?,
        clock: any Clock<Duration>
    ) async throws(ConfigurationError) -> Configuration {
        var configuration = try await usable(present.files, without: present.unused, clock: clock).configuration
        if let current {
            configuration.keepUnused(of: current)
            let hasSettings = present.files.contains { $0.kind == .settings }
            configuration.settingsProblem = hasSettings ? nil : current.settingsProblem
        }
        // A file without content may be about to be written.
        configuration.paths = present.files.filter { !$0.text.allSatisfy(\.isWhitespace) }.map(\.path)
        return configuration
    }

    /// Merges the content of files.
    package func layers(
        of files: [ConfigurationLayers.File],
        clock: any Clock<Duration> = ContinuousClock()
    ) async throws(ConfigurationError) -> ConfigurationLayers {
        try ConfigurationLayers(files, specifiers: await specifiers(of: files, clock: clock))
    }

    /// The values of the specifiers in these files, if a preset has one.
    package func specifiers(
        of files: [ConfigurationLayers.File],
        clock: any Clock<Duration> = ContinuousClock()
    ) async -> Specifiers {
        guard files.contains(where: { $0.kind == .preset && $0.text.utf8.contains(UInt8(ascii: "%")) }) else {
            return Specifiers()
        }
        let environment = ProcessInfo.processInfo.environment
        // Directory services can be slow.
        return await runBlocking(atMost: GuardedFile.timeout, clock: clock) { Specifiers(environment: environment) }
            ?? Specifiers()
    }

    /// The files that exist, with their contents, in the order of ``ConfigurationLayers``. All must be readable.
    ///
    /// - Parameter mayBeMissing: Whether a file that the user named may be missing. It may also be missing if there are
    ///   files of programs beside it.
    package func files(
        clock: any Clock<Duration> = ContinuousClock(),
        mayBeMissing: Bool = false
    ) async throws(ConfigurationError) -> [ConfigurationLayers.File] {
        let present = try await presentFiles(clock: clock, mayBeMissing: mayBeMissing)
        if let unused = present.unused.first { throw unused.error }
        return present.files
    }

    /// The files that exist, and the accounts whose files cannot be read.
    typealias PresentFiles = (files: [ConfigurationLayers.File], unused: [UnusedAccount])

    /// The files that exist, with their contents; see ``files(clock:mayBeMissing:)``.
    func presentFiles(
        clock: any Clock<Duration> = ContinuousClock(),
        mayBeMissing: Bool = false
    ) async throws(ConfigurationError) -> PresentFiles {
        var places: [(kind: ConfigurationLayers.File.Kind, path: String)] = presets.reversed().map { (.preset, $0) }
        places += try await accountPaths(clock: clock).map { (.account, $0) }
        places += [(.settings, settingsPath), (.personal, path)]
        var (files, unused): PresentFiles = ([], [])
        for (kind, path) in places {
            do throws(ConfigurationError) {
                guard let text = try await Self.text(of: path, clock: clock) else { continue }
                files.append(.init(kind, path: path, text: text))
            } catch {
                guard kind == .account, !error.isTemporary else { throw error }
                unused.append(UnusedAccount(error))
            }
        }
        guard mayBeMissing || !isExplicit || !unused.isEmpty || files.contains(where: { $0.kind != .preset }) else {
            throw Self.unreadable(path)
        }
        return (files, unused)
    }

    /// The paths of the accounts' files, sorted by name.
    private func accountPaths(clock: any Clock<Duration>) async throws(ConfigurationError) -> [String] {
        let directory = accountsDirectory
        let found = await runBlocking(atMost: GuardedFile.timeout, clock: clock) {
            Result { try FileManager.default.contentsOfDirectory(atPath: directory) }
        }
        switch found {
        case nil: throw Self.unresponsive(directory)
        case .success(let names)?:
            // Others are temporary files and backups.
            return names.filter { $0.hasSuffix(".toml") && !$0.hasPrefix(".") }.sorted().map { "\(directory)/\($0)" }
        case .failure(let error)?:
            if (error as? CocoaError)?.code == .fileReadNoSuchFile { return [] }
            throw Self.unreadable(directory)
        }
    }

    /// The content of a file; nil: it does not exist.
    private static func text(
        of path: String,
        clock: any Clock<Duration>
    ) async throws(ConfigurationError) -> String? {
        do throws(GuardedFile.Failure) {
            return try await GuardedFile(path: path, limit: limit, isSecret: false).contents(clock: clock)
        } catch {
            switch error {
            case .missing: return nil
            case .unreadable: throw unreadable(path)
            case .noText: throw noText(path)
            case .irregular:
                let problem = "It is no regular file, but a directory, a pipe or a device. Name another file."
                throw ConfigurationError(file: path, problem: problem)
            case .unresponsive: throw unresponsive(path)
            case .refused(let reason):
                let problem = "The file is rejected, because it can run programs as you. \(reason)"
                throw ConfigurationError(file: path, problem: problem)
            }
        }
    }

    static func noText(_ path: String) -> ConfigurationError {
        let problem = "The file is too large or not UTF-8. It must be TOML of at most 1 MiB."
        return ConfigurationError(file: path, problem: problem)
    }

    private static func unresponsive(_ path: String) -> ConfigurationError {
        let problem = "Its file system does not answer. Check its mount and the network."
        var error = ConfigurationError(file: path, problem: problem)
        error.isTemporary = true
        return error
    }

    private static func unreadable(_ path: String) -> ConfigurationError {
        ConfigurationError(file: path, problem: "Cannot read the file. Check that it exists and is readable.")
    }
}
