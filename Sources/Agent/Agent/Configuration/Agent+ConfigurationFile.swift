import Basics
import DBus
import Logging
import ProgramKit

/// The files of the configuration, which are applied when one of them changes.
extension Agent {
    /// The time between a change and reading the file: programs change a file in several steps.
    private static let delay = Duration.milliseconds(250)

    /// Runs until the task is cancelled.
    func followConfigurationFile() async {
        await withDiscardingTaskGroup { group in
            group.addTask { [environment, configurationTimer] in
                await configurationTimer.run(clock: environment.clock) { await self.endConfigurationDelay() }
            }
            group.addTask {
                let watch = FileWatch(
                    paths: [self.file.path, self.file.settingsPath] + self.file.presets,
                    directories: [self.file.accountsDirectory],
                    loop: self.bus.loop
                )
                let isWatched = await watch.run(
                    started: { await self.configurationFileChanged() },
                    changed: { await self.startConfigurationDelay() }
                )
                if !isWatched { self.reportUnwatchedFile() }
            }
        }
    }

    /// Further changes do not extend the delay.
    private func startConfigurationDelay() {
        guard !isConfigurationDelayed else { return }
        isConfigurationDelayed = true
        configurationTimer.set(after: Self.delay)
    }

    private func endConfigurationDelay() async {
        isConfigurationDelayed = false
        await configurationFileChanged()
    }

    private nonisolated func reportUnwatchedFile() {
        logger.warning(
            "changes of the configuration file are not noticed: the limit of inotify(7) is reached; use feedbell reload"
        )
    }
}
