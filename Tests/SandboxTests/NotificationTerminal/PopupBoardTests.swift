import DBus
import Testing

@testable import Sandbox

@Suite struct PopupBoardTests {
    private func call(
        _ summary: String = "S",
        replacing: UInt32 = 0,
        actions: [String] = ["default", "Open"],
        hints: [String: Value] = [:],
        timeout: Int32 = -1
    ) -> RecordedNotification {
        RecordedNotification(
            appName: "A",
            replacesID: replacing,
            summary: summary,
            actions: actions,
            hints: hints,
            expireTimeout: timeout
        )
    }

    @Test("Ids start at 1 and are not reused before they overflow") func ids() throws {
        var board = PopupBoard()
        #expect(try board.notify(call()).id == 1)
        #expect(try board.notify(call()).id == 2)
        #expect(try board.notify(call("new", replacing: 1)).id == 1)
        #expect(board.popups.map(\.summary) == ["new", "S"])
        _ = try board.close(2)
        #expect(try board.notify(call()).id == 3, "an id is not used again")
        #expect(try board.notify(call(replacing: 4242)).id == 4242)
        #expect(try board.notify(call()).id == 4243)
        #expect(try board.notify(call(replacing: .max)).id == .max)
        #expect(try board.notify(call()).id == 2, "from 1 again, without the ids of open popups")
    }

    @Test("A popup is closed once, with its reason") func closing() throws {
        var board = PopupBoard()
        _ = try board.notify(call())
        #expect(try board.close(1) == [.closed(1, .closedByCall)])
        #expect(throws: DBusError(.invalidArgs, "No popup 1 is open.")) { try board.close(1) }
        #expect(throws: DBusError.self) { try board.dismiss(1) }
        #expect(board.expire(1) == [])
        _ = try board.notify(call())
        #expect(try board.dismiss(2) == [.closed(2, .dismissed)])
    }

    @Test("An action closes its popup unless the popup is resident") func actions() throws {
        var board = PopupBoard()
        _ = try board.notify(call())
        #expect(throws: DBusError(.invalidArgs, "Popup 1 has no action “other”.")) {
            try board.invoke(1, key: "other", token: nil)
        }
        #expect(
            try board.invoke(1, key: "default", token: "t") == [
                .invoked(1, key: "default", token: "t"), .closed(1, .dismissed),
            ]
        )
        #expect(throws: DBusError.self) { try board.invoke(1, key: "default", token: nil) }
        _ = try board.notify(call(hints: ["resident": .bool(true)]))
        #expect(try board.invoke(2, key: "default", token: nil) == [.invoked(2, key: "default", token: nil)])
        #expect(board.popup(2) != nil)
    }

    @Test("Showing a popup again restarts its timer; critical popups do not expire") func expiry() throws {
        var board = PopupBoard(defaultTimeout: .seconds(7))
        func timer(_ effects: [PopupBoard.Effect]) -> (PopupBoard.Timer, Duration)? {
            for case .startTimer(let timer, let delay) in effects { return (timer, delay) }
            return nil
        }
        let first = try #require(timer(try board.notify(call(timeout: 1500)).effects))
        #expect(first.1 == .milliseconds(1500))
        let second = try #require(timer(try board.notify(call(replacing: 1)).effects))
        #expect(second.1 == .seconds(7))
        #expect(board.timerFired(first.0) == [], "shown again since")
        #expect(board.timerFired(second.0) == [.closed(1, .expired)])
        #expect(board.timerFired(second.0) == [])
        #expect(timer(try board.notify(call(timeout: 0)).effects) == nil)
        #expect(timer(try board.notify(call(hints: ["urgency": .byte(2)])).effects) == nil)
        #expect(timer(try board.notify(call(timeout: -7)).effects)?.1 == .seconds(7))
    }

    @Test(
        "A hint of the wrong type or value is rejected",
        arguments: [
            (["urgency": Value.string("2")], "The hint “urgency” is of type “y”, not “s”."),
            (["urgency": .uint32(1)], "The hint “urgency” is of type “y”, not “u”."),
            (["urgency": .byte(9)], "The hint “urgency” is 0, 1 or 2, not 9."),
            (["resident": .string("true")], "The hint “resident” is of type “b”, not “s”."),
            (["image-data": .bytes([])], "The hint “image-data” is of type “(iiibiiay)”, not “ay”."),
            (["value": .uint32(1)], "The hint “value” is of type “i”, not “u”."),
        ]
    )
    func invalidHints(_ hints: [String: Value], _ sentence: String) {
        var board = PopupBoard()
        #expect(throws: DBusError(.invalidArgs, sentence)) { try board.notify(call(hints: hints)) }
        #expect(board == PopupBoard(), "the board is unchanged")
    }

    @Test("An action without a label is rejected, an unknown hint is ignored") func actionsAndUnknownHints() throws {
        var board = PopupBoard()
        #expect(throws: DBusError.self) { try board.notify(call(actions: ["default"])) }
        #expect(try board.notify(call(hints: ["x-anything": .byte(1)])).id == 1)
    }
}
