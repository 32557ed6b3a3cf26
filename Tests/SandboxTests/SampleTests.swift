import Testing

@testable import Sandbox

@Suite struct SampleTests {
    private static let suprSend = SampleNotifications.notifications(now: Requests.now, host: "http://127.0.0.1:0")
    private static let magicBell = MagicBellSamples.notifications(now: Requests.now)

    @Test("No two samples have the same title") func titles() {
        let titles = Self.suprSend.map { $0["header"]?.string } + Self.magicBell.map { $0["title"]?.string }
        #expect(Set(titles).count == titles.count)
        #expect(!titles.contains(nil))
    }

    @Test("The samples are what a company sends: buttons, pictures of senders, a read, a pinned and an archived one")
    func variety() {
        let buttons = Self.suprSend.flatMap { $0["actions"]?.array ?? [] }.compactMap { $0["name"]?.string }
        #expect(["Approve", "Decline", "Track Parcel", "Open Log"].allSatisfy(buttons.contains))
        #expect(Self.suprSend.count { $0["avatar"] != nil } == SamplePicture.allCases.count)
        #expect(Self.suprSend.count { $0["is_pinned"] == true } == 1)
        #expect(Self.suprSend.count { $0["archived"] == true } == 1)
        #expect(Self.magicBell.count { $0["read_at"] != nil } == 1)
    }

    @Test("The pictures of the senders are served as PNG files, no two alike, without credentials") func pictures() {
        var state = SandboxState()
        var files: Set<[UInt8]> = []
        for sample in Self.suprSend {
            guard let url = sample["avatar"]?["avatar_url"]?.string else { continue }
            let path = String(url.dropFirst("http://127.0.0.1:0".count))
            let answer = state.handle(ServiceRequest(method: "GET", target: path), wall: Requests.now)
            #expect(answer.response.status == 200)
            #expect(answer.response.headers["Content-Type"] == "image/png")
            #expect(answer.response.body.starts(with: [0x89] + Array("PNG\r\n\u{1A}\n".utf8)))
            files.insert(answer.response.body)
        }
        #expect(files.count == SamplePicture.allCases.count)
        #expect(state.violations.isEmpty)
    }
}
