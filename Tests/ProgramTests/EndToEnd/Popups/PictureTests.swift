import AgentInterface
import AgentTestSupport
import Basics
import DBus
import Foundation
import Sandbox
import Subprocess
import TestSupport
import Testing

/// Pictures of popups, with the built agent, a simulated service and a host of pictures.
@Suite(.sessionBus, .sandbox(users: ["anna"]), .timeLimit(.minutes(5))) struct PictureTests {
    private let sandbox = Sandbox.current

    private static let allowed = "[popups]\nprivate_picture_hosts = [\"127.0.0.1\"]\n"

    /// Runs `body` beside an agent that keeps pictures in a directory of the test.
    private func withAgent(_ popups: String, _ body: (BuiltAgent, _ cache: String) async throws -> Void) async throws {
        try await TemporaryFile.with("") { file in
            let cache = file.directory + "/cache"
            try await BuiltAgent.with(
                AgentConfiguration.account() + popups,
                environment: ["XDG_CACHE_HOME": .some(cache)]
            ) { agent in try await body(agent, cache) }
        }
    }

    private static func files(in directory: String) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []).filter {
            $0.hasSuffix(".png") && $0.first != "."
        }
    }

    private func publish(_ title: String, avatar: String) async throws {
        _ = try await sandbox.publish([
            "header": .string(title), "text": "x", "avatar": ["avatar_url": .string(avatar)],
        ])
    }

    @Test("A popup shows the avatar of its notification, as a small PNG file") func avatar() async throws {
        let picture = TestPicture.png(width: 400, height: 400)
        let isReleased = Mailbox<Void>()
        try await PictureHost.with { connection in
            if connection.path == "/first.png" { for await _ in isReleased.messages { break } }
            try await connection.respond(picture)
        } _: { (host) async throws in
            try await withAgent(Self.allowed) { agent, cache in
                // The first decoder is found meanwhile, which may need longer than the popup waits.
                try await publish("First", avatar: host.url("/first.png"))
                #expect(try await agent.popup().hints["image-path"] == nil, "it waits for at most 0.3 seconds")
                isReleased.send()
                let directory = cache + "/feedbell/pictures"
                try await waiting(for: "a picture") { !Self.files(in: directory).isEmpty }
                // Also the kept picture may be too late on a busy computer: then that of a further popup is not.
                var (shown, path) = (1, "")
                while path.isEmpty {
                    try await publish("Next", avatar: host.url("/first.png"))
                    let popup = try await agent.popup()
                    #expect(popup.summary == "Next" && popup.replacesID == 0)
                    if case .string(let file)? = popup.hints["image-path"] { path = file }
                    shown += 1
                }
                #expect(path.hasPrefix(directory + "/") && path.hasSuffix(".png"))
                let bytes = Array(try Data(contentsOf: URL(filePath: path)))
                #expect(bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]) && bytes[16..<24] == [0, 0, 1, 0, 0, 0, 1, 0])
                #expect(host.requests == ["/first.png"])
                #expect(await agent.server.calls.count == shown, "this server shows a replaced popup again")
            }
        }
    }

    @Test("The agent can show the pictures of the senders of the samples") func samples() async throws {
        try await withAgent(Self.allowed + "group_above = 20\n") { _, cache in
            try await sandbox.execute("samples")
            try await waiting(for: "all pictures") {
                Self.files(in: cache + "/feedbell/pictures").count
            } until: {
                $0 >= SamplePicture.allCases.count
            }
        }
    }

    @Test("Nothing is requested without permission, and popups come all the same") func nothingRequested() async throws
    {
        try await PictureHost.with {
            try await $0.respond(TestPicture.gif())
        } _: { (host) async throws in
            for popups in ["[popups]\npictures = false\nprivate_picture_hosts = [\"127.0.0.1\"]\n", ""] {
                try await withAgent(popups) { agent, cache in
                    try await publish("Plain", avatar: host.url("/a.png"))
                    try await publish("TLS", avatar: "https://127.0.0.1:\(host.port)/a.png")
                    let summaries = [try await agent.popup(), try await agent.popup()].map(\.summary)
                    #expect(Set(summaries) == ["Plain", "TLS"])
                    #expect(!FileManager.default.fileExists(atPath: cache))
                }
            }
            #expect(host.requests.isEmpty)
        }
    }

    @Test("How pictures are decoded is a finding, unless they are switched off") func isolation() async throws {
        for (popups, isFound) in [("", true), ("[popups]\npictures = false\n", false)] {
            try await TemporaryFile.with(popups) { file in
                let findings = try await AgentCheck.run(["check", "--config", file.path]).filter {
                    $0.topic == .notifications
                }
                #expect(findings.count == (isFound ? 1 : 0))
                #expect(findings.allSatisfy { $0.level == .ok && $0.sentence.contains("(seccomp") })
            }
        }
    }
}
