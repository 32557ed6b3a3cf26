import ClientKit
import Testing

@testable import SuprSend

/// Everything that a service sends is bounded in bytes.
@Suite("Sizes at the limits") struct SizeLimitTests {
    private static func text(_ bytes: Int) -> String { String(repeating: "x", count: bytes) }

    private func row(_ fields: String = "", message: String = "", id: String = "a", category: String = "c") throws
        -> FeedNotification
    {
        let body =
            #"""
            {"n_id":"\#(id)","n_category":"\#(category)","created_on":1,"message":{"schema":"1"\#(message)}\#(fields)}
            """#
        return try ResponseDecoder.decode(response(200, body), as: FeedNotification.self)
    }

    @Test(
        "A text is cut at the end of a character",
        arguments: [
            ("", 3, ""), ("abc", 3, "abc"), ("abcd", 3, "abc"), ("aä", 2, "a"), ("aä", 3, "aä"), ("ab€", 4, "ab"),
            ("ae\u{301}", 2, "a"), ("ae\u{301}", 3, "a"), ("ae\u{301}", 4, "ae\u{301}"), ("👨‍👩‍👧b", 8, "👨\u{200D}"),
            ("a\r\nb", 2, "a"), ("€", 2, ""),
        ] as [(String, Int, String)]
    )
    func cut(text: String, bytes: Int, expected: String) {
        let result = text.cut(to: bytes)
        #expect(result == expected && result.utf8.count <= bytes)
    }

    @Test("A character that is longer than the limit is cut between its scalars")
    func longCharacter() {
        let text = "e" + String(repeating: "\u{301}", count: 1_000)
        #expect(text.count == 1)
        #expect(text.cut(to: 101).utf8.count == 101)
    }

    @Test("Ids up to 256 bytes are kept, longer ones are left out", arguments: [256, 257, 100_000])
    func ids(length: Int) throws {
        let (id, fits) = (Self.text(length), length <= 256)
        #expect((try? row(id: id))?.id == (fits ? id : nil))
        #expect((RealtimeEvent(name: "new_notification", arguments: [["n_id": .string(id)]]) != nil) == fits)
        #expect((RealtimeEvent(name: "notification_update", arguments: [["n_id": .string(id)]]) != nil) == fits)
        let seen = RealtimeEvent(
            name: "bulk_notification_update",
            arguments: [["action": "seen", "notification_ids": ["a", .string(id)]]]
        )
        #expect(seen == .seen(ids: fits ? ["a", id] : ["a"]))
        let body = #"{"results":[{"n_id":"\#(id)","n_category":"c","created_on":1,"message":{}}],"meta":{}}"#
        let page = try ResponseDecoder.decode(response(200, body), as: NotificationPage.self)
        #expect(page.rows.count == (fits ? 1 : 0))
        #expect(page.dropped.allSatisfy { $0.utf8.count <= 32 }, "only the beginning goes to the log")
    }

    @Test("Of two ids that are the same text in other bytes, one is left out") func equivalentIDs() throws {
        for (id, fits) in [("\u{E9}", true), ("e\u{301}", false), ("日本", true)] {
            #expect(((try? row(id: id)) != nil) == fits)
            #expect((RealtimeEvent(name: "new_notification", arguments: [["n_id": .string(id)]]) != nil) == fits)
        }
    }

    @Test("Long texts are cut, long addresses and extra data are left out")
    func fields() throws {
        func size(_ text: String?) -> Int? { text?.utf8.count }
        let long = try row(
            #","tenant_id":"\#(Self.text(9_000))","importance":"\#(Self.text(300))""#,
            message: #","""#.dropLast(2) + #""header":"\#(Self.text(1_025))","text":"\#(Self.text(16_385))","#
                + #""subtext":{"text":"\#(Self.text(1_025))","action_url":"\#(Self.text(8_193))"},"#
                + #""url":"\#(Self.text(8_193))","avatar":{"avatar_url":"\#(Self.text(8_193))"},"#
                + #""extra_data":"\#(Self.text(65_537))","actions":[{"name":"\#(Self.text(257))","url":"u"},"#
                + #"{"name":"b","url":"\#(Self.text(8_193))"}]"#,
            category: Self.text(257)
        )
        #expect(size(long.category) == 256 && size(long.tenantID) == 256 && size(long.importance) == 256)
        #expect(size(long.message.header) == 1_024 && size(long.message.text) == 16_384)
        #expect(size(long.message.subtext?.text) == 1_024 && long.message.subtext?.actionURL == nil)
        #expect(long.message.url == nil && long.message.avatar == nil && long.message.extraData == nil)
        #expect(long.message.actions.map { size($0.name) } == [256])
        let fitting = try row(
            message: #","url":"\#(Self.text(8_192))","avatar":{"avatar_url":"\#(Self.text(8_192))"},"#
                + #""extra_data":"\#(Self.text(65_536))","text":"\#(Self.text(16_384))""#
        )
        #expect(size(fitting.message.url) == 8_192 && size(fitting.message.avatar?.url) == 8_192)
        #expect(size(fitting.message.extraData) == 65_536 && size(fitting.message.text) == 16_384)
        let object = try row(message: #","extra_data":{"a":"\#(Self.text(65_536))"}"#)
        #expect(object.message.extraData == nil)
    }

    @Test("The numbers of tags, buttons and rows are limited")
    func counts() throws {
        let tags = (0..<100).map { "\"t\($0)\"" }.joined(separator: ",")
        let row = try row(#","tags":["\#(Self.text(257))",\#(tags)]"#)
        #expect(row.tags.count == 64 && row.tags.first == "t0")
        let actions = (0..<20).map { #"{"name":"\#($0)"}"# }.joined(separator: ",")
        #expect(try self.row(message: #","actions":[\#(actions)]"#).message.actions.count == 8)
        let rows = (0..<300).map { #"{"n_id":"\#($0)","n_category":"c","created_on":\#(1_000 - $0),"message":{}}"# }
        let body = #"{"results":[\#(rows.joined(separator: ","))],"meta":{"has_more":false}}"#
        let page = try ResponseDecoder.decode(response(200, body), as: NotificationPage.self)
        #expect(page.rows.count == 100 && page.hasMore == true)
    }

    @Test("A page with more rows than requested is cut, and the rest comes with the next page")
    func pagesAreCut() throws {
        let rows = (0..<60).map { SuprSendTests.row("\($0)", age: Int64($0)) }
        var driver = StateDriver()
        let load = driver.state.beginRefresh()
        _ = driver.state.finish(load, .success(.init(rows: rows, hasMore: false)), now: base)
        #expect(driver.ids.count == 20 && driver.state.data.pageInfo.hasMore)
        let next = try driver.state.beginNextPage()
        _ = driver.finish(next, .init(rows: Array(rows[19...]), hasMore: false))
        #expect(driver.ids.count == 40 && driver.state.data.pageInfo.hasMore)
    }

    @Test("Events about many rows do not accumulate while a row is requested")
    func seenEventsDoNotPileUp() throws {
        var driver = StateDriver()
        driver.load([SuprSendTests.row("a")])
        _ = driver.state.receive(.newNotification(id: "slow"), now: base)
        _ = try driver.ticket()
        for number in 0..<5_000 {
            let ids = (0..<100).map { "\(number)-\($0)" } + ["a"]
            _ = driver.state.receive(.seen(ids: ids), now: base)
            _ = driver.state.receive(.allRead, now: base)
        }
        #expect(SimulatedFeed.count(driver.state) < 5_000)
        #expect(driver.state.data.notifications.allSatisfy { $0.isSeen && $0.isRead }, "what is loaded follows")
        #expect(driver.state.isStale, "the rest is loaded again")
    }

    @Test("Rows that arrive one by one while a page is requested do not accumulate")
    func hiddenRowsDoNotPileUp() throws {
        var driver = StateDriver([NotificationStore(id: "Promo", query: .init(categories: ["promo"]))])
        driver.load((0..<20).map { SuprSendTests.row("\($0)", age: Int64($0), category: "promo") }, hasMore: true)
        _ = try driver.state.beginNextPage()
        for number in 0..<10_000 {
            // Below the last loaded page, and of another store.
            let category = number % 2 == 0 ? "promo" : "other"
            driver.update(SuprSendTests.row("r\(number)", age: 1_000_000, category: category))
        }
        #expect(SimulatedFeed.count(driver.state) < 6_000)
        #expect(driver.state.isStale)
    }

    @Test("Many large events and rows leave little in memory")
    func manyLargeEvents() throws {
        var driver = StateDriver(maximumRows: 20)
        let large = Self.text(200_000)
        for number in 0..<300 {
            let prefix = "\(number)-"
            let id = prefix + Self.text(256 - prefix.utf8.count)
            for odd in [large, id] {
                let event = RealtimeEvent(
                    name: "new_notification",
                    arguments: [["n_id": .string(odd)], .string(large)]
                )
                if let event { _ = driver.state.receive(event, now: base) }
            }
            let message = #","header":"\#(large)","text":"\#(large)","url":"\#(large)","extra_data":"\#(large)""#
            driver.answerDetails([try row(message: message, id: id)])
        }
        let bytes = Self.bytes(driver.state)
        #expect(bytes < 2_000_000, "\(bytes) bytes of text")
    }

    /// All text that a value holds.
    private static func bytes(_ value: Any) -> Int {
        if let text = value as? String { return text.utf8.count }
        return Mirror(reflecting: value).children.reduce(0) { $0 + bytes($1.value) }
    }

    // MARK: Preferences

    private static func list(_ count: Int, _ element: (Int) -> String) -> String {
        "[" + (0..<count).map(element).joined(separator: ",") + "]"
    }

    @Test("At most 1,000 categories are read, of all sections together, and 100 channels") func manyCategories() throws
    {
        let categories = Self.list(700) { #"{"category":"\#($0)","preference":"opt_in"}"# }
        let channels = Self.list(300) { #"{"channel":"\#($0)","is_restricted":true}"# }
        let body =
            #"""
            {"sections":[{"subcategories":\#(categories)},{"subcategories":\#(categories)},{"name":"empty"}],\#
            "channel_preferences":\#(channels)}
            """#
        let data = try ResponseDecoder.decode(response(200, body), as: PreferenceData.self)
        #expect(data.sections?.map(\.categories.count) == [700, 300, 0])
        #expect(data.sections?[1].categories.last?.slug == "299" && data.channelPreferences?.count == 100)
        let page = try ResponseDecoder.decode(
            response(200, #"{"results":\#(Self.list(1_100) { #"{"category":"\#($0)","preference":"opt_in"}"# })}"#),
            as: CategoryPage.self
        )
        #expect(page.categories.count == 1_000)
    }

    @Test("Of a category, at most 100 channels, properties and choices of each are read") func manyParts() throws {
        let choices = Self.list(150) { #"{"label":"\#($0)","value":\#($0)}"# }
        let days = Self.list(200) { _ in #"{"pos":1,"day":\#(Self.list(20) { _ in #""mo""# })}"# }
        let body =
            #"""
            {"category":"c","preference":"opt_in",\#
            "channels":\#(Self.list(150) { #"{"channel":"\#($0)","preference":"opt_in"}"# }),\#
            "properties":\#(Self.list(150) { #"{"key":"\#($0)","choices":\#(choices)}"# }),\#
            "digest_schedule":{"id":"d","monthdays":{"edit_policy":"editable","value":\#(days)}}}
            """#
        let category = try ResponseDecoder.decode(response(200, body), as: PreferenceCategory.self)
        #expect(category.channels.count == 100 && category.properties.count == 100)
        #expect(category.properties.allSatisfy { $0.choices.count == 100 })
        let read = category.digestSchedule?.monthdays?.value
        #expect(read?.count == 100 && read?.allSatisfy { $0.weekdays?.count == 7 } == true)
    }

    @Test("Long texts of preferences are cut, and what has a long id or value is left out") func longPreferences()
        throws
    {
        let long = Self.text(100_000)
        func category(_ slug: String) throws -> PreferenceCategory {
            let body =
                #"""
                {"category":"\#(slug)","name":"\#(long)","description":"\#(long)","preference":"\#(long)","channels":\#
                [{"channel":"\#(long)","preference":"opt_in"}],"properties":[{"key":"\#(long)"},{"key":"p",\#
                "label":"\#(long)","value":"\#(long)","choices":[{"value":"\#(long)"},{"value":1,"label":"\#(long)"}]}]}
                """#
            return try ResponseDecoder.decode(response(200, body), as: PreferenceCategory.self)
        }
        let read = try category("c")
        #expect(read.name.utf8.count == 256 && read.description?.utf8.count == 1_024)
        #expect(read.preference.rawValue.utf8.count == 256 && read.channels.isEmpty)
        #expect(read.properties.map(\.key) == ["p"] && read.properties[0].value == nil)
        #expect(read.properties[0].label?.utf8.count == 256 && read.properties[0].choices.map(\.value) == [1])
        #expect(throws: SuprSendError.self) { try category(long) }
    }
}
