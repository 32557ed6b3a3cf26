import Agent
import AgentInterface
import VisibleText

extension PictureDecoder {
    /// How pictures are decoded, or why popups have none.
    static func finding(clock: any Clock<Duration>) async -> Finding {
        do throws(Problem) {
            return finding(mechanisms: try await find(clock: clock).mechanisms)
        } catch {
            return finding(of: error)
        }
    }

    private static func finding(mechanisms: String) -> Finding {
        Finding(
            .notifications,
            .ok,
            // Translators: The mechanisms are such as "seccomp, Landlock".
            translated(
                "The program that decodes pictures has no files and no network, and starts no program ({mechanisms}).",
                ["mechanisms": mechanisms]
            )
        )
    }

    /// Why popups have no pictures.
    static func finding(of problem: Problem) -> Finding {
        let values = ["program": program]
        let (sentence, remedy) =
            switch problem {
            case .notInstalled:
                (
                    translated("Popups have no pictures, because {program} is not installed.", values),
                    translated("Install Feedbell again, or write pictures = false below [popups].")
                )
            case .notWorking:
                (
                    translated("Popups have no pictures, because {program} does not work.", values),
                    translated("Install Feedbell again, or write pictures = false below [popups].")
                )
            case .notConfined:
                (
                    translated(
                        "Popups have no pictures, because the system does not let {program} give up files and network.",
                        values
                    ),
                    translated(
                        "Allow seccomp filters in kernel or container, or write pictures = false below [popups]."
                    )
                )
            }
        return Finding(.notifications, .warning, sentence, remedy: remedy)
    }
}
