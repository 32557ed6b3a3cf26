import Testing

@testable import Sandbox

@Suite struct EventTests {
    private var service = SandboxService(options: .open)

    private static let track: JSON = [
        "event": "ordered", "$insert_id": "i-1", "$time": 1_754_346_745_613, "distinct_id": "user-1", "properties": [:],
    ]

    private mutating func post(_ body: JSON) -> SandboxService.Answer {
        service.handle(Requests.hub("POST", "/v2/event", body), now: Requests.now)
    }

    @Test("Events of one $insert_id are recorded once") mutating func duplicates() {
        let first = post(Self.track)
        let second = post(Self.track)
        #expect(first.json?["status"] == "success")
        #expect(first.json == second.json)
        #expect(service.recordedEvents.map(\.body) == [Self.track])
    }

    @Test("$identify creates a user") mutating func identify() {
        let identify: JSON = [
            "event": "$identify", "$insert_id": "i-2", "$time": 1_754_346_745_613,
            "properties": ["$identified_id": "anna"],
        ]
        #expect(post(identify).response.status == 200)
        #expect(service.users == ["user-1", "anna"])
    }

    @Test(
        "Operations and push events are accepted",
        arguments: [
            ["$append": ["$email": "anna@example.com"]], ["$unset": ["plan"]],
            ["event": "$notification_clicked", "distinct_id": "", "properties": ["id": "nid-1"]],
        ] as [[String: JSON]]
    )
    func operationsAndPushEvents(change: [String: JSON]) {
        var copy = self
        let answer = copy.post(.object((Self.operation.object ?? [:]).merging(change) { $1 }))
        #expect(answer.response.status == 200)
        #expect(answer.violations == [])
    }

    private static let identification: JSON = [
        "event": "$identify", "$insert_id": "i", "$time": .integer(Requests.now), "distinct_id": "anna",
        "properties": ["$identified_id": "anna"],
    ]
    private static let operation: JSON = ["$insert_id": "i-1", "$time": 1_754_346_745_613, "distinct_id": "user-1"]

    @Test(
        "A malformed event, $identify or operation is rejected as a violation",
        arguments: [
            (
                track,
                [
                    ["$time": 1_754_346_745], ["$time": .number(1_754_346_745.613)], ["$insert_id": nil],
                    ["event": ""], ["event": .null], ["distinct_id": ""], ["properties": "none"],
                    ["distinct_id": 7], ["tenant_id": 7], ["user": "x"], ["$set": ["plan": "pro"]],
                ]
            ),
            (
                identification,
                [
                    ["properties": [:]], ["properties": ["$identified_id": ""]],
                    ["properties": ["$identified_id": 7]], ["properties": ["identified_id": "anna"]],
                    ["properties": nil], ["distinct_id": "bob", "properties": ["$identified_id": "anna"]],
                    ["$insert_id": ""],
                ]
            ),
            (
                operation,
                [
                    ["$unset": ["plan": 1]], ["$unset": []], ["$set": ["plan"]], ["$set_once": [:]],
                    ["$add": ["seats": "1"]], ["$append": "x"], ["$remove": nil], ["$set": ["a": 1], "$unset": ["b"]],
                    ["$set": ["a": 1], "properties": [:]],
                ]
            ),
        ] as [(JSON, [[String: JSON]])]
    )
    func malformedEvents(event: JSON, changes: [[String: JSON]]) {
        for change in changes {
            var copy = self
            let answer = copy.post(.object((event.object ?? [:]).merging(change) { $1 }))
            #expect(answer.response.status == 400, "\(change)")
            #expect(answer.violations.map(\.kind) == [.body], "\(change)")
            #expect(copy.service.recordedEvents.isEmpty && copy.service.users == ["user-1"], "\(change)")
        }
    }

    @Test("A list of events is rejected as a violation") mutating func lists() {
        #expect(post([Self.track]).violations.map(\.kind) == [.body])
    }
}
