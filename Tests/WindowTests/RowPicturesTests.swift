import AgentInterface
import Testing

@testable import Window

/// The senders' pictures of the rows: which are requested, and which row shows which.
@Suite struct RowPicturesTests {
    private typealias Fixture = PageFixture

    private static func url(_ sender: String) -> String { "https://example.com/\(sender).png" }

    private static func request(_ id: String, _ sender: String) -> PictureRequest {
        PictureRequest(row: Fixture.row(id), url: url(sender))
    }

    private static func notification(_ id: String, _ sender: String?) -> NotificationRecord {
        Fixture.notification(id, age: Int64(id) ?? 0) { $0.avatar = sender.map(url) ?? "" }
    }

    /// A page with notifications of these senders: nil has no picture.
    private static func page(_ senders: [String?]) -> PageFixture {
        let list = senders.enumerated().map { notification("\($0)", $1) }
        return PageFixture([Fixture.account("work", capabilities: [])], [list])
    }

    private static func rows(_ ids: Range<Int>) -> InboxPage.Event { .visible(ids.map { Fixture.row("\($0)") }) }

    private static func files(_ page: PageFixture) -> [String] {
        page.page.rows.compactMap { page.page.row($0)?.picture }
    }

    @Test("The picture of a row on the screen is requested, once for all rows of the sender, and shown by all")
    func shared() {
        var page = Self.page(["anna", nil, "anna", "ben"])
        #expect(Self.files(page) == ["", "", "", ""])
        #expect(page.send(Self.rows(0..<3)) == [.loadPicture(Self.request("0", "anna"))], "ben is not on the screen")
        #expect(page.send(Self.rows(0..<3)) == [])
        #expect(page.send(.picture(Self.request("0", "anna"), file: "/a.png")) == [])
        #expect(Self.files(page) == ["/a.png", "", "/a.png", ""])
        #expect(page.send(Self.rows(1..<4)) == [.loadPicture(Self.request("3", "ben"))])
    }

    @Test("A few are requested at once, and the next ones for the rows that are on the screen by then")
    func concurrent() {
        var page = Self.page((0..<20).map { "sender\($0)" })
        let first = (0..<RowPictures.concurrent).map { Self.request("\($0)", "sender\($0)") }
        #expect(page.send(Self.rows(0..<10)) == first.map(InboxPage.Effect.loadPicture))
        #expect(page.send(Self.rows(10..<20)) == [], "all places are taken")
        #expect(
            page.send(.picture(first[1], file: "/1.png")) == [.loadPicture(Self.request("10", "sender10"))]
        )
        #expect(page.page.row(Fixture.row("1"))?.picture == "/1.png")
    }

    @Test("Nothing is requested while the window is not on the screen, or the agent does not run") func hidden() {
        var page = Self.page(["anna"])
        _ = page.send(.visibility(false))
        #expect(page.send(Self.rows(0..<1)) == [])
        #expect(page.send(.visibility(true)) == [.loadPicture(Self.request("0", "anna"))])
        var ended = Self.page(["anna"])
        _ = ended.send(.agent(.ended))
        #expect(ended.send(Self.rows(0..<1)) == [])
    }

    @Test("A picture that cannot be loaded or read is requested again after ten minutes, or of another agent")
    func missing() {
        var page = Self.page(["anna"])
        let load = InboxPage.Effect.loadPicture(Self.request("0", "anna"))
        #expect(page.send(Self.rows(0..<1)) == [load])
        #expect(page.send(.picture(Self.request("0", "anna"), file: "")) == [])
        page.now += RowPictures.retryInterval - 1
        #expect(page.send(Self.rows(0..<1)) == [])
        page.now += 1
        #expect(page.send(Self.rows(0..<1)) == [load])
        #expect(page.send(.picture(Self.request("0", "anna"), file: "/a.png")) == [])
        #expect(page.send(.pictureLost(file: "/a.png")) == [] && Self.files(page) == [""])
        _ = page.send(.agent(.ended))
        #expect(page.send(.agent(.running)).contains(load))
    }

    @Test("A notification whose picture has changed meanwhile gives its picture to no other row") func changed() {
        var page = Self.page(["anna", "anna"])
        _ = page.send(Self.rows(0..<2))
        // The agent has answered for the new picture already.
        _ = page.send(.picture(Self.request("0", "anna"), file: "/ben.png"))
        let again = page.request("work", .these(["0"]))
        #expect(page.send(.changed(account: "work", ids: ["0"])) == [.list(again)])
        let effects = page.send(.listed(again, .notifications([Self.notification("0", "ben")], problem: "")))
        #expect(
            effects == [.loadPicture(Self.request("0", "ben")), .loadPicture(Self.request("1", "anna"))]
        )
        #expect(Self.files(page) == ["", ""])
    }

    @Test("A bounded number is kept: the first that are not on the screen are removed") func limit() {
        var pictures = RowPictures()
        let all = (0...RowPictures.limit).map { Self.request("\($0)", "sender\($0)") }
        #expect(pictures.requests(for: [all[0]], now: 0) == [all[0]])
        pictures.finish(all[0], file: "/0.png", now: 0)
        for request in all.dropFirst() {
            #expect(pictures.requests(for: [all[0], request], now: 0) == [request])
            pictures.finish(request, file: "/\(request.row.id).png", now: 0)
        }
        #expect(pictures.file(Self.url("sender0")) == "/0.png", "it is on the screen")
        #expect(pictures.file(Self.url("sender1")).isEmpty && !pictures.file(Self.url("sender2")).isEmpty)
        #expect(pictures.requests(for: [all[1]], now: 0) == [all[1]])
    }

    @Test("Addresses that are the same text in other bytes have a picture each") func equivalent() {
        var pictures = RowPictures()
        let all = [Self.request("0", "e\u{301}"), Self.request("1", "\u{E9}")]
        #expect(pictures.requests(for: all, now: 0).map(\.row) == all.map(\.row))
        for request in all { pictures.finish(request, file: "/\(request.row.id).png", now: 0) }
        #expect(all.map { pictures.file($0.url) } == ["/0.png", "/1.png"])
    }

    @Test("A reply that nobody waits for is ignored") func late() {
        var pictures = RowPictures()
        pictures.finish(Self.request("0", "anna"), file: "/a.png", now: 0)
        #expect(pictures.file(Self.url("anna")).isEmpty)
    }
}
