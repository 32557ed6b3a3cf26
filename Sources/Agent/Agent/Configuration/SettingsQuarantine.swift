import Basics
import FoundationEssentials

/// A `settings.toml` that is too large or not TOML. Programs write this file, and a damaged one must not keep the agent
/// from starting, so it is renamed.
extension ConfigurationFile {
    /// Reads all files at the start of the agent. See ``read(from:clock:)``.
    package func readAtStart(
        clock: any Clock<Duration> = ContinuousClock()
    ) async throws(ConfigurationError) -> Configuration {
        do { return try await read(clock: clock) } catch {
            guard error.file == settingsPath, let renamed = await setAsideSettings(clock: clock) else { throw error }
            var configuration = try await read(clock: clock)
            configuration.settingsProblem = renamed
            return configuration
        }
    }

    /// Renames `settings.toml` if it is too large or not TOML.
    ///
    /// - Returns: What is wrong and the new name; nil: the file was not renamed.
    func setAsideSettings(clock: any Clock<Duration>) async -> ConfigurationError? {
        guard let problem = await settingsDamage(clock: clock) else { return nil }
        let path = settingsPath
        let place = await runBlocking(atMost: GuardedFile.timeout, clock: clock) { () -> String? in
            guard let place = StateFile.freePath(beside: path),
                (try? FileManager.default.moveItem(atPath: path, toPath: place)) != nil
            else { return nil }
            return place
        }
        guard let place = place ?? nil else { return nil }
        var error = problem
        error.problem += " It was renamed to \(place), so its settings and rules are not used."
        error.problem += " Make them again, or correct that file and rename it back."
        return error
    }

    /// Why `settings.toml` is no TOML at all; nil: it is, or cannot be read.
    private func settingsDamage(clock: any Clock<Duration>) async -> ConfigurationError? {
        do throws(GuardedFile.Failure) {
            let file = GuardedFile(path: settingsPath, limit: Self.limit, isSecret: false)
            let text = try await file.contents(clock: clock)
            do throws(ConfigurationError) { _ = try TOMLNode.parse(text, file: settingsPath) } catch { return error }
            return nil
        } catch {
            guard case .noText = error else { return nil }
            return Self.noText(settingsPath)
        }
    }
}
