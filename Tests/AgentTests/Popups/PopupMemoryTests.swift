import AgentTestSupport
import Foundation
import Inbox
import Logging
import Testing

@testable import Agent

/// The open popups of the previous run.
@Suite struct PopupMemoryTests {
    @Test("A kept popup keeps its picture as long as the file is there") func picture() async throws {
        try await TemporaryFile.with("", named: "a.png") { file in
            let store = StateStore(path: file.directory + "/state.sqlite3") { _ in }
            var memory = PopupMemory(store: store, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
            let reference = NotificationReference(account: "work", id: NotificationID("1"))
            let open = OpenPopup(
                references: [reference],
                count: 1,
                buttons: [],
                urgency: 1,
                titles: [],
                isSummary: false
            )
            let popup = SavedPopup(open: open, popup: Popup(summary: "Sale", body: "x", picture: file.path))
            memory.record([.keep(server: "s1", id: 7, popup)])
            await memory.save()
            #expect(await memory.load().1 == ["s1": [7: popup]])
            try FileManager.default.removeItem(atPath: file.path)
            #expect(await memory.load().1["s1"]?[7]?.popup == Popup(summary: "Sale", body: "x"))
        }
    }
}
