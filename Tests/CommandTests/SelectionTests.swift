import AgentInterface
import Testing

@testable import feedbell

/// The notifications that `read`, `seen`, `archive` and `delete` select.
@Suite struct SelectionTests {
    @Test(
        "Ids are read from lines, up to the first space or tab",
        arguments: [
            ("", []), ("a\nb", ["a", "b"]), ("a\r\n\n  b \n", ["a", "b"]), ("a\tunread\t1\tT\nb c", ["a", "b"]),
        ] as [(String, [String])]
    ) func lines(text: String, ids: [String]) { #expect(StandardInputIDs.parsed(text) == ids) }

    @Test("An action concerns only notifications that it changes", arguments: SelectionAction.allCases)
    func concerned(action: SelectionAction) {
        var notification = NotificationRecord()
        #expect(action.concerns(notification))
        (notification.read, notification.seen, notification.isArchived) = (1, 1, true)
        #expect(action.concerns(notification) == (action == .delete))
    }

    @Test("Questions and results name the number", arguments: SelectionAction.allCases)
    func sentences(action: SelectionAction) {
        for count in [1, 317] {
            #expect(action.question(count).contains("\(count) notification"))
            #expect(action.result(count).hasPrefix("\(count) notification"))
        }
    }
}
