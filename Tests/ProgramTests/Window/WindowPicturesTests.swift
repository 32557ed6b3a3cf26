import AgentTestSupport
import FoundationEssentials
import Sandbox
import Subprocess
import TestSupport
import Testing

/// The senders' pictures in the built window, with the agent, a service and a host of pictures.
@Suite(
    .sessionBus,
    .sandbox(users: ["anna"]),
    .timeLimit(.minutes(5)),
    .enabled(if: WindowScreen.isBuilt, "libadwaita is not installed")
) struct WindowPicturesTests {
    private let sandbox = Sandbox.current

    @Test("Rows show their senders' pictures, each of which the agent loads once") func pictures() async throws {
        let colors: [String: [UInt8]] = ["/anna.png": [255, 0, 255], "/ben.png": [0, 255, 255]]
        try await PictureHost.with { connection in
            guard let color = colors[connection.path] else {
                return try await connection.respond([], status: "404 Not Found")
            }
            try await connection.respond(TestPicture.png(width: 50, height: 50, color: color))
        } _: { (host) async throws in
            for (title, sender) in [("One", "anna"), ("Two", "ben"), ("Three", "anna"), ("Four", "nobody")] {
                _ = try await sandbox.publish([
                    "header": .string(title), "text": "x",
                    "avatar": ["avatar_url": .string(host.url("/\(sender).png"))],
                ])
            }
            try await withAgent { agent in
                try await agent.waitForList(count: 4)
                try await WindowScreen.with { screen in
                    try await screen.wait(rows: 4)
                    // A round picture of 36 × 36 pixels has about 1,000.
                    let (anna, ben) = (("#ff00ff", 1_800..<2_200), ("#00ffff", 900..<1_100))
                    for (color, range) in [anna, ben] {
                        try await waiting(for: "\(range) pixels of \(color)", every: .milliseconds(20)) {
                            try await screen.pixels(of: color)
                        } until: {
                            range.contains($0)
                        }
                    }
                    try await screen.keepPicture("pictures")
                }
            }
            #expect(host.requests.sorted() == ["/anna.png", "/ben.png", "/nobody.png"])
        }
    }

    /// Runs `body` beside an agent that keeps pictures in a directory of the test.
    private func withAgent(_ body: (BuiltAgent) async throws -> Void) async throws {
        try await TemporaryFile.with("") { file in
            try await BuiltAgent.with(
                AgentConfiguration.account() + "[popups]\nprivate_picture_hosts = [\"127.0.0.1\"]\n",
                environment: ["XDG_CACHE_HOME": .some(file.directory + "/cache")]
            ) { agent in try await body(agent) }
        }
    }
}
