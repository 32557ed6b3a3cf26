import AgentInterface
import AgentTestSupport
import DBus
import FoundationEssentials
import Sandbox
import Subprocess
import TestSupport
import Testing

/// The rows of the built window: which there are, and how they are laid out.
@Suite(
    .sessionBus,
    .builtAgent(),
    .timeLimit(.minutes(5)),
    .enabled(if: WindowScreen.isBuilt, "libadwaita is not installed")
) struct WindowRowsTests {
    private let sandbox = Sandbox.current
    private let agent = BuiltAgent.current

    @Test("All rows are in the list with their texts as names, and the keys reach each of them") func keys()
        async throws
    {
        let now = SandboxTrait.realTime()
        let all: [JSON] = (1...40).map { number in
            let created = now - Int64(number) * 1_000
            return ["header": .string("Nr \(number)"), "text": "A text.", "created_on": .integer(created)]
        }
        try await sandbox.execute("publish", ["notifications": .array(all)])
        try await agent.account.wait(AgentInbox.totalCount, is: 40)
        try await WindowScreen.with { screen in
            let names = (1...40).map { "Nr \($0), " }
            try await screen.wait { elements in
                let rows = elements.filter { $0.role == "list item" }
                // GTK 4.18 tells screen readers only of those that are on the screen.
                return rows.count > 5
                    && zip(rows, names).allSatisfy { $0.name.contains($1) && $0.name.hasSuffix(", A text.") }
            }
            try await screen.waitForFocusedRow()
            for (key, number) in [("End", 40), ("Home", 1), ("Down", 2), ("End", 40), ("Up", 39)] {
                try await screen.key(key)
                try await waitForFocus(number, on: screen)
            }
            try await screen.key("Home")
            try await waitForFocus(1, on: screen)
            var last = 1
            while last < 40 {
                try await screen.key("Page_Down")
                let next = try await waitForFocus(after: last, on: screen)
                #expect(next > last, "\(next) after \(last)")
                last = next
            }
        }
    }

    private func waitForFocus(_ number: Int, on screen: WindowScreen) async throws {
        try await screen.wait { elements in
            elements.contains {
                $0.has(.focused) && $0.name.contains("Nr \(number),") && $0.name.hasSuffix(", A text.")
            }
        }
    }

    /// Waits until another row than that of a number has the focus.
    private func waitForFocus(after number: Int, on screen: WindowScreen) async throws -> Int {
        func focused(_ elements: [ScreenElement]) -> Int? {
            let names = elements.filter { $0.role == "list item" && $0.has(.focused) }.map(\.name)
            return (1...40).first { number in names.contains { $0.contains("Nr \(number),") } }
        }
        let elements = try await screen.wait { focused($0).map { $0 != number } ?? false }
        return try #require(focused(elements))
    }

    @Test("A row that is selected by keys is not filled again: no frame shows it empty") func selectedByKeys()
        async throws
    {
        try await withUnchangingRows(5) { screen, counts in
            let before = try counts().changes
            for number in [4, 3, 2] {
                try await screen.key("Down")
                try await screen.waitForFocus { $0.name.contains("Nr \(number)") }
            }
            #expect(try counts().changes == before)
        }
    }

    @Test("While an arrow key is held, GTK gives the rows new places only as far as it scrolls") func heldKey()
        async throws
    {
        // More than GTK keeps widgets of.
        try await withUnchangingRows(300) { screen, counts in
            try await screen.key("End")
            try await screen.waitForFocus { $0.name.contains("Nr 1,") }
            try await screen.key("Home")
            try await screen.waitForFocus { $0.name.contains("Nr 300,") }
            try await screen.settled()
            let before = try counts()
            let presses = 200
            try await screen.hold("Down", times: presses)
            try await screen.settled()
            let after = try counts()
            #expect(after.changes - before.changes > presses / 2, "it has scrolled")
            // GTK 4.8 does it again for both rows whose selection changes.
            #expect(after.bindings - before.bindings <= 2 * presses + 20)
        }
    }

    /// Runs `body` beside a window whose first row has the focus. Times are shown as dates, which do not change, and
    /// the window does not mark the rows as seen.
    ///
    /// - Parameter body: Gets a function for how often rows have changed so far, and how often GTK has given one of its
    ///   places a row.
    private func withUnchangingRows(
        _ count: Int,
        _ body: (WindowScreen, () throws -> (changes: Int, bindings: Int)) async throws -> Void
    ) async throws {
        let monthAgo = SandboxTrait.realTime() - 30 * 86_400_000
        let rows = WindowScreen.numbered(count) { ["created_on": .integer(monthAgo + Int64($0) * 1_000)] }
        try await sandbox.execute("publish", ["notifications": .array(rows)])
        try await agent.account.wait(AgentInbox.totalCount, is: UInt32(count))
        try await agent.account.call(AgentInbox.markAllSeen)
        try await agent.account.wait(AgentInbox.unseenCount, is: 0)
        try await TemporaryFile.with("") { file in
            let environment: [Environment.Key: String?] = ["FEEDBELL_WINDOW_FRAMES": file.path]
            try await WindowScreen.with(environment: environment) { screen in
                try await screen.waitForFocusedRow()
                try await screen.key("Home")
                try await screen.waitForFocus { $0.name.contains("Nr \(count)") }
                try await screen.settled()
                try await body(screen) {
                    // The last numbers of each line that `FrameLog` writes.
                    let lines = String(decoding: try Data(contentsOf: URL(filePath: file.path)), as: UTF8.self)
                    let last = lines.split(separator: "\n").last { $0.hasPrefix("frame ") }
                    let numbers = try #require(last).split(separator: " ").suffix(2).compactMap { Int($0) }
                    return (try #require(numbers.first), try #require(numbers.last))
                }
            }
        }
    }

    @Test("A text that is higher than the window is as wide as the list, and covers nothing", arguments: [400, 640])
    func longText(width: Int) async throws {
        let sentence = "The build has ended, and its results are in the report. "
        let text = (1...150).map { "Part \($0): \(sentence)" }.joined()
        _ = try await sandbox.publish(["header": "First", "text": "x"])
        _ = try await sandbox.publish([
            "header": "Long", "text": .string(text), "subtext": ["text": "The line below"],
            "actions": [["name": "Report", "url": "https://example.com/report"]],
        ])
        try await agent.waitForList(count: 2)
        try await WindowScreen.with { screen in
            try await screen.resize(width: width, height: 500)
            try await screen.wait(rows: 2)
            try await screen.waitForFocusedRow()
            let beginning = String(text.prefix(200))
            try await screen.wait(for: beginning, role: "label")
            let hasMore = { (elements: [ScreenElement]) in elements.contains { $0.name == "Show More" } }
            while hasMore(try await screen.elements()) { try await screen.press("Show More", unless: { !hasMore($0) }) }
            try await screen.wait(for: "Part 150: ", role: "label")
            let shown = try await screen.elements().filter { $0.role == "label" && $0.name.contains(sentence) }
            #expect(shown.map(\.name).joined(separator: " ") == text.trimmingSpaces)
            for key in ["Down", "Up", "End", "Home", "Page_Down", "Up"] { try await screen.key(key) }
            try await screen.settled()
            try await checkPlaces(on: screen, width: width)
            try await screen.keepPicture("long-text-\(width)")
        }
    }

    @Test("Preferences with long descriptions take not many times the processor time of short ones")
    func descriptions() async throws {
        let short = try await processorTime(ofPreferences: "Short.")
        let long = try await processorTime(ofPreferences: String(repeating: "Lorem ipsum ", count: 80))
        #expect(long < 10 * short, "\(long) ticks, \(short) with short ones")
    }

    /// Until the window shows the preferences of 50 categories that have this description.
    private func processorTime(ofPreferences description: String) async throws -> Int {
        let categories = (0..<50).map { number in
            JSON.object([
                "category": .string("c\(number)"), "name": .string("Category \(number)"), "preference": "opt_in",
                "description": .string(description), "channels": [],
            ])
        }
        let sections: JSON = [["name": "All", "subcategories": .array(categories)]]
        try await sandbox.execute("preferences", ["sections": sections, "channel_preferences": []])
        try await agent.account.call(AgentPreferences.refresh)
        try await waiting(for: "50 categories", every: .milliseconds(20)) {
            let known = try await agent.account.call(AgentPreferences.list).map(CategoryRecord.init)
            return known.count == 50 && known[0].description.hasPrefix(description.prefix(6))
        }
        var time = 0
        try await WindowScreen.with { screen in
            try await screen.wait(for: "No Notifications")
            let before = try screen.processorTime
            try await screen.key("ctrl+comma")
            // What a screen reader asks takes time of the program, too.
            try await waiting(for: "work of the window", every: .milliseconds(100)) {
                try screen.processorTime
            } until: {
                $0 >= before + 10
            }
            time = try await lasting("time", readings: 2, every: .seconds(3)) { try screen.processorTime } - before
            try await screen.wait(for: "Category 49")
        }
        return time
    }

    @Test("Whatever the texts are, what a row shows is in the window while it is scrolled") func width() async throws {
        let texts = [
            "この文はとても長い。", "مرحبا بالعالم ", "abcdefgh", "W", "word ", "**b** *i* [l](https://example.com) ", "x\n\n",
        ]
        let now = SandboxTrait.realTime()
        let all: [JSON] = (0..<21).map { number in
            func text(_ shift: Int, _ bytes: Int) -> JSON {
                let text = texts[(number + shift) % texts.count]
                return .string(String(repeating: text, count: bytes / text.utf8.count))
            }
            let buttons = (0..<8).map { JSON.object(["name": text($0, 250), "url": "https://example.com"]) }
            return [
                "header": text(0, 1_000), "text": text(0, 16_000), "subtext": ["text": text(1, 1_000)],
                "actions": .array(buttons), "is_pinned": .bool(number.isMultiple(of: 7)),
                "created_on": .integer(now - Int64(number) * 1_000),
            ]
        }
        try await sandbox.execute("publish", ["notifications": .array(all)])
        try await agent.account.wait(AgentInbox.totalCount, is: 21)
        try await WindowScreen.with { screen in
            try await screen.waitForFocusedRow()
            for key in ["Home", "Page_Down", "Page_Down", "Down", "Down", "Page_Down", "End", "Up", "Up", "Home"] {
                try await screen.key(key)
                let shown = try await screen.settled().drop { $0.role != "list item" }
                    .filter { $0.role == "label" || $0.role.contains("button") }
                var wide: [String] = []
                for element in shown {
                    guard let place = try await element.extents(), place.y + place.height > 0, place.y < 780 else {
                        continue
                    }
                    if place.x < 0 || place.x + place.width > 640 {
                        wide.append("\(element.name.prefix(20)): \(place)")
                    }
                }
                #expect(wide.isEmpty, "after \(key): \(wide)")
            }
            try await screen.keepPicture("long-texts")
        }
    }

    /// What a row shows is in the window, one below the other.
    private func checkPlaces(on screen: WindowScreen, width: Int) async throws {
        let elements = try await screen.elements()
        var bottom = Int.min
        let names = ["Part 1: ", "Show Less", "Report"]
        for name in names {
            let element = try #require(elements.last { $0.name.hasPrefix(name) && $0.role != "list item" }, "\(name)")
            let place = try #require(try await element.extents())
            #expect(place.y >= bottom, "\(name) begins at \(place.y), above \(bottom)")
            #expect(place.x >= 0 && place.x + place.width <= width, "\(name): \(place)")
            bottom = place.y + place.height
        }
    }
}

extension String {
    fileprivate var trimmingSpaces: String { String(reversed().drop { $0 == " " }.reversed()) }
}
