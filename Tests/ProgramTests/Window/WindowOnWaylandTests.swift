import AgentTestSupport
import FoundationEssentials
import Subprocess
import TestSupport
import Testing

/// The window in a Wayland compositor.
@Suite(
    .sessionBus,
    .timeLimit(.minutes(5)),
    .enabled(if: WindowScreen.isBuilt, "libadwaita is not installed")
) struct WindowOnWaylandTests {
    @Test("The window has the name of the desktop entry, by which desktops find its menu entry and its icon")
    func application() async throws {
        let start = "xwayland disable\nexec echo \"display=$WAYLAND_DISPLAY\"\n"
        try await TemporaryFile.with(start, named: "sway.conf") { file in
            let directory = file.directory
            try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: directory)
            var environment: [Environment.Key: String?] = [
                "HOME": directory, "XDG_RUNTIME_DIR": directory, "DISPLAY": nil, "WAYLAND_DISPLAY": nil,
                "SWAYSOCK": directory + "/sway.socket", "WLR_BACKENDS": "headless", "WLR_RENDERER": "pixman",
                "WLR_LIBINPUT_NO_DEVICES": "1", "GSK_RENDERER": "cairo", "GSETTINGS_BACKEND": "memory",
            ]
            try await RunningProgram.with("sway", ["-c", file.path], environment: environment) { sway in
                environment["WAYLAND_DISPLAY"] = try await sway.wait(for: "display=").split(separator: "=").last.map(
                    String.init
                )
                try await RunningProgram.with("feedbell-window", [], environment: environment) { [environment] _ in
                    let names = try await Self.applications(environment)
                    #expect(names == ["org.feedbell.Agent"])
                }
            }
        }
    }

    /// The applications of the windows, when there are some.
    private static func applications(_ environment: [Environment.Key: String?]) async throws -> [Substring] {
        try await waiting(for: "windows", every: .milliseconds(20)) {
            let tree = try await Programs.output("swaymsg", ["-r", "-t", "get_tree"], environment: environment)
            return tree.matches(of: /"app_id": "([^"]*)"/).map(\.output.1)
        } until: {
            !$0.isEmpty
        }
    }
}
