/// An account that is not used, because its file in `accounts.d` cannot be.
package struct UnusedAccount: Equatable, Sendable {
    /// The name of the file without ".toml": the account's, with escaped characters.
    package var fileName: String
    package var error: ConfigurationError

    /// - Parameter error: Of a file in `accounts.d`.
    init(_ error: ConfigurationError) {
        fileName = String((error.file.split(separator: "/").last ?? "").dropLast(".toml".count))
        self.error = error
    }
}

extension ConfigurationFile {
    /// Reads a configuration from its files, without those of accounts that cannot be used: nothing else depends on
    /// them.
    ///
    /// - Parameters:
    ///   - files: Presets first, the personal file last.
    ///   - unused: The accounts whose files could not be read.
    func usable(
        _ files: [ConfigurationLayers.File],
        without unused: [UnusedAccount] = [],
        clock: any Clock<Duration> = ContinuousClock()
    ) async throws(ConfigurationError) -> (layers: ConfigurationLayers, configuration: Configuration) {
        var (files, unused) = (files, unused)
        let specifiers = await specifiers(of: files, clock: clock)
        while true {
            do throws(ConfigurationError) {
                var layers = try ConfigurationLayers(files, specifiers: specifiers)
                layers.removeAccounts(of: unused)
                var configuration = try Configuration(layers, services: services)
                configuration.unused = unused
                return (layers, configuration)
            } catch {
                let place = files.firstIndex { $0.kind == .account && $0.path == error.file }
                guard let place else { throw error }
                files.remove(at: place)
                unused.append(UnusedAccount(error))
            }
        }
    }
}

extension Configuration {
    /// Why files of programs are not used.
    package var problems: [ConfigurationError] {
        [settingsProblem].compactMap(\.self) + unused.map(\.error)
    }

    /// Adds the accounts whose files cannot be used as an earlier configuration has them.
    mutating func keepUnused(of current: Configuration) {
        for unused in unused {
            let kept = current.accounts.first { $0.name.fileName == unused.fileName }
            guard let kept, !accounts.contains(where: { $0.configuredKey == kept.configuredKey }) else { continue }
            let earlier = current.accounts.map(\.name).prefix { $0 != kept.name }
            let place = accounts.lastIndex { earlier.contains($0.name) }.map { $0 + 1 } ?? 0
            accounts.insert(kept, at: place)
        }
    }
}
