import AgentInterface
import DBus
import Glibc

extension DesktopApplication {
    /// The argument `platform_data` with the token of the program that has started this one, so that a window can take
    /// the focus.
    static var platformData: [String: Value] {
        var data: [String: Value] = [:]
        for (key, variable) in [
            ("activation-token", "XDG_ACTIVATION_TOKEN"), ("desktop-startup-id", "DESKTOP_STARTUP_ID"),
        ] {
            if let token = getenv(variable) { data[key] = .string(String(cString: token)) }
        }
        return data
    }
}
