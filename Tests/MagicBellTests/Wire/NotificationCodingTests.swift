import Basics
import ClientKit
import FoundationEssentials
import MagicBell
import TestSupport
import Testing

@Suite("Notifications as JSON")
struct NotificationCodingTests {
    private func read(_ json: String) throws -> InboxNotification {
        try JSONValue(parsing: json).decode(InboxNotification.self)
    }

    private func copy<T: Codable>(_ value: T) throws -> T {
        try JSONDecoder().decode(T.self, from: JSONEncoder().encode(value))
    }

    @Test("The list of the REST API is read")
    func list() throws {
        let list = try JSONValue(parsing: AnswerSamples.list).decode(NotificationList.self)
        #expect(list.counts == StoreCounts(total: 2, unread: 1, unseen: 1))
        #expect(list.currentPage == 1 && list.totalPages == 1 && list.received == 2)
        try #require(list.notifications.count == 2)
        let (first, second) = (list.notifications[0], list.notifications[1])
        #expect(first.id == "4f6f0c7e-0a55-4c1e-9d0b-6f1b6c0d0001" && first.title == "Build 812 failed")
        #expect(first.content == "<b>3</b> tests" && first.actionURL == "https://ci.example/812")
        #expect(first.category == "ci" && first.topic == "build-812")
        #expect(first.customAttributes == ["build": 812, "tags": ["red"]])
        #expect(first.recipient?.externalID == "user-001" && first.recipient?.email == "mary@example.com")
        #expect(first.sentAt == Date(timeIntervalSince1970: 1_767_225_600))
        #expect(!first.isSeen && !first.isRead && !first.isArchived)
        #expect(second.seenAt == Date(timeIntervalSince1970: 1_767_139_260))
        #expect(second.readAt == Date(timeIntervalSince1970: 1_767_139_300))
        #expect(second.content == nil && second.customAttributes == nil && second.category == nil)
    }

    @Test("The list of the user API is read")
    func userList() throws {
        let list = try JSONValue(parsing: AnswerSamples.userList).decode(NotificationChunk.self)
        #expect(list.hasMore == true)
        let notification = try #require(list.notifications.first)
        #expect(notification.id == "0f8a" && notification.category == "ci")
        #expect(notification.sent == 1_767_225_600_500)
        #expect(!notification.isSeen && notification.recipient == nil)
    }

    @Test(
        "The user API tells by its links whether there are further pages",
        arguments: [
            (#"{"data":[],"links":{"next":"/x"}}"#, true), (#"{"data":[],"links":{"next":null}}"#, false),
            (#"{"data":[],"links":{}}"#, nil), (#"{"data":[]}"#, nil),
        ] as [(String, Bool?)]
    )
    func links(json: String, hasMore: Bool?) throws {
        #expect(try JSONValue(parsing: json).decode(NotificationChunk.self).hasMore == hasMore)
    }

    @Test("One notification is read with and without its wrapper")
    func single() throws {
        for json in [AnswerSamples.failedBuild, #"{"notification":\#(AnswerSamples.failedBuild)}"#] {
            let single = try JSONValue(parsing: json).decode(SingleNotification.self)
            #expect(single.notification == (try read(AnswerSamples.failedBuild)))
        }
    }

    @Test(
        "Attributes are JSON, or text that contains an object or an array",
        arguments: [
            (#"{"build":812}"#, ["build": 812]), (#""{\"build\":812}""#, ["build": 812]), (#""[1]""#, [1]),
            (#""812""#, "812"), (#""plain""#, "plain"), (#""{""#, "{"), ("7", 7), ("null", nil),
            (#""{\"a\":\"\#(String(repeating: "x", count: 70_000))\"}""#, nil),
        ] as [(String, JSONValue?)]
    )
    func attributes(json: String, value: JSONValue?) throws {
        #expect(try read(#"{"id":"a","custom_attributes":\#(json)}"#).customAttributes == value)
    }

    @Test(
        "Times win over the status, which replaces absent ones",
        arguments: [
            (#""status":"unseen""#, nil, nil, nil), (#""status":"unread""#, 2_000, nil, nil),
            (#""status":"read""#, 2_000, 2_000, nil), (#""status":"archived""#, nil, nil, 2_000),
            (#""status":"unseen","read_at":3"#, 3_000, 3_000, nil),
            (#""status":"read","seen_at":1"#, 1_000, 2_000, nil),
            (#""status":"other""#, nil, nil, nil), (#""status":1"#, nil, nil, nil),
        ] as [(String, Int64?, Int64?, Int64?)]
    )
    func status(fields: String, seen: Int64?, read: Int64?, archived: Int64?) throws {
        let json = #"{"id":"a","sent_at":1,"updated_at":"1970-01-01T00:00:02Z",\#(fields)}"#
        let notification = try self.read(json)
        #expect(notification.seen?.milliseconds == seen)
        #expect(notification.read?.milliseconds == read)
        #expect(notification.archived?.milliseconds == archived)
    }

    @Test("Without a time of sending, that of creation counts")
    func sent() throws {
        #expect(try read(#"{"id":"a","sent_at":null,"created_at":5}"#).sent == 5_000)
        #expect(try read(#"{"id":"a"}"#).sent == 0)
        #expect(try read(#"{"id":"a","sent_at":1767225600.25}"#).sent == 1_767_225_600_250)
    }

    @Test(
        "Without a valid id there is no notification",
        arguments: ["{}", #"{"id":1}"#, #"{"id":""}"#, #"{"id":".."}"#, #"{"id":null}"#, "[]", "1"]
    )
    func withoutID(json: String) {
        #expect(throws: (any Error).self) { try read(json) }
        #expect(throws: (any Error).self) { try read(#"{"id":"\#(String(repeating: "x", count: 256))"}"#) }
    }

    @Test("Invalid notifications of a list are left out and named")
    func invalidOnes() throws {
        let json = #"{"notifications":[{"id":"a"},{"title":"x"},7,{"id":""}],"total":"x","total_pages":-3}"#
        let list = try JSONValue(parsing: json).decode(NotificationList.self)
        #expect(list.notifications.map(\.id) == ["a"])
        #expect(list.dropped == ["?", "?", ""])
        #expect(list.received == 4 && list.totalPages == 0 && list.counts == StoreCounts())
    }

    @Test("A list keeps those without a category, and those whose times are of another form")
    func oddOnes() throws {
        let odd = [
            #"{"id":"a","category":null,"sent_at":"2026-01-01T00:00:00Z"}"#,
            #"{"id":"b","category":7,"sent_at":"yesterday"}"#, #"{"id":"c","sent_at":null,"created_at":{}}"#,
        ]
        let json = #"{"notifications":[\#(odd.joined(separator: ","))],"total":3}"#
        let list = try JSONValue(parsing: json).decode(NotificationList.self)
        #expect(list.notifications.map(\.id) == ["a", "b", "c"] && list.dropped == [])
        #expect(list.notifications.map(\.category) == [nil, nil, nil])
        #expect(list.notifications.map(\.sent) == [1_767_225_600_000, 0, 0])
    }

    @Test("What is too long is cut, or ignored where a part would be something else")
    func limits() throws {
        let long = String(repeating: "x", count: 100_000)
        let names = ["title", "content", "action_url", "category", "topic"]
        let fields = names.map { #""\#($0)":"\#(long)""# }.joined(separator: ",")
        let notification = try read(#"{"id":"a",\#(fields)}"#)
        #expect(notification.title.utf8.count == Limits.title)
        #expect(notification.content?.utf8.count == Limits.content)
        #expect(notification.actionURL == nil && notification.category == nil && notification.topic == nil)
    }

    @Test("A stored notification is the same after it is read")
    func roundTrip() throws {
        for json in [AnswerSamples.failedBuild, AnswerSamples.welcome, #"{"id":"a"}"#] {
            let notification = try read(json)
            #expect(try copy(notification) == notification)
        }
        let exact = try read(#"{"id":"a","sent_at":"9999-12-31T23:59:59.999Z","read_at":1767225600.123}"#)
        #expect(try copy(exact) == exact)
    }

    @Test("The stored form has the service's names and times in ISO 8601")
    func storedForm() throws {
        let notification = try read(AnswerSamples.welcome)
        let data = try JSONEncoder().encode(notification)
        #expect(
            try JSONValue(parsing: String(decoding: data, as: UTF8.self)) == [
                "id": "4f6f0c7e-0a55-4c1e-9d0b-6f1b6c0d0002", "title": "Welcome",
                "recipient": ["id": "9a1d", "email": "mary@example.com"], "sent_at": "2025-12-31T00:00:00.000Z",
                "seen_at": "2025-12-31T00:01:00.000Z", "read_at": "2025-12-31T00:01:40.000Z",
            ]
        )
    }

    @Test("Mutated answers are read without a trap, within the limits, and survive a round trip")
    func mutations() throws {
        var generator = SeededGenerator(seed: 11)
        let samples = [AnswerSamples.list, AnswerSamples.userList].map { Array($0.utf8) }
        for _ in 0..<1_500 {
            guard var bytes = samples.randomElement(using: &generator) else { return }
            for _ in 0..<Int.random(in: 1...6, using: &generator) {
                let index = Int.random(in: bytes.indices, using: &generator)
                switch Int.random(in: 0..<3, using: &generator) {
                case 0: bytes[index] = UInt8.random(in: 32..<127, using: &generator)
                case 1: bytes.remove(at: index)
                default: bytes.insert(bytes.randomElement(using: &generator) ?? 0, at: index)
                }
            }
            guard let value = try? JSONValue(parsing: bytes, isTolerant: true) else { continue }
            let list = try? value.decode(NotificationList.self).notifications
            let chunk = try? value.decode(NotificationChunk.self).notifications
            for notification in (list ?? []) + (chunk ?? []) {
                #expect(notification.sent >= 0 && notification.sent <= .latest)
                #expect(!notification.isRead || notification.isSeen)
                #expect(try copy(notification) == notification)
            }
        }
    }
}
