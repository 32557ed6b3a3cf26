import Basics
import ClientKit
import FoundationEssentials
import TestSupport
import Testing

@testable import SuprSend

let firstPage = """
    {"results":[
     {"n_id":"01K1VNB0E0PNNED00000000001","n_category":"system","tenant_id":"default","importance":"default",\
     "created_on":1754300000000,"seen_on":1754301000000,"read_on":null,"interacted_on":null,"archived":false,\
     "tags":["ops"],"expiry":null,"is_expiry_visible":false,"is_pinned":true,"can_user_unpin":false,\
     "message":{"schema":"1","header":"Maintenance","text":"Tonight **22:00 UTC**","url":null,"extra_data":null,\
     "actions":null,"avatar":null,"subtext":null}},
     {"n_id":"01K1VNB0E0EXPRE00000000002","n_category":"promo","created_on":1754346745613,"expiry":1754346805613,\
     "is_expiry_visible":true,"is_pinned":false,"tags":["tab1"],"message":{"schema":"1.0","header":"Sale",\
     "text":"Ends in a minute","url":"https://example.com/sale","open_in_new_tab":true,"extra_data":"{\\"sku\\":42}",\
     "actions":[{"name":"Buy","url":"https://example.com/buy","open_in_new_tab":false},{"name":"Later","url":""}],\
     "avatar":{"avatar_url":"https://example.com/a.png","action_url":"https://example.com/u/1"},\
     "subtext":{"text":"Shop","action_url":"https://example.com"}}},
     {"n_id":"01K1VNB0E0READ000000000003","n_category":"comments","created_on":1754340000000,"seen_on":1754340500000,\
     "read_on":1754340600000,"interacted_on":1754340600000,"is_expiry_visible":false,"is_pinned":false,\
     "message":{"schema":"1","text":"Bob replied"}}],
     "meta":{"total_count":5,"has_more":true,"current_page":1,"total_pages":2}}
    """

@Suite struct WireTests {
    private func page(_ text: String) throws -> NotificationPage {
        try ResponseDecoder.decode(response(200, text), as: NotificationPage.self)
    }

    private func one(_ fields: String) throws -> FeedNotification {
        try ResponseDecoder.decode(
            response(200, #"{"n_id":"a","n_category":"c","created_on":1,"message":{"text":"t"}\#(fields)}"#),
            as: FeedNotification.self
        )
    }

    @Test("A page is read with all members of its rows") func samplePage() throws {
        let page = try page(firstPage)
        #expect(page.total == 5)
        #expect(page.hasMore == true)
        #expect(page.dropped.isEmpty)
        #expect(page.rows.map(\.isPinned) == [true, false, false])
        let sale = page.rows[1]
        #expect(sale.createdOn == Date(timeIntervalSince1970: 1_754_346_745.613))
        #expect(sale.expiry == 1_754_346_805_613)
        #expect(sale.isExpiryVisible)
        #expect(sale.message.extraData == #"{"sku":42}"#)
        #expect(sale.message.actions.map(\.url) == ["https://example.com/buy", ""])
        #expect(sale.message.avatar == .init(url: "https://example.com/a.png", actionURL: "https://example.com/u/1"))
        #expect(sale.message.subtext == .init(text: "Shop", actionURL: "https://example.com"))
        #expect(page.rows[2].interactedOn == Date(timeIntervalSince1970: 1_754_340_600))
        #expect(page.rows[0].importance == "default")
        #expect(page.rows[0].canUserUnpin == false)
    }

    @Test("Malformed members of a row are ignored, and numbers are read in any form") func malformedMembers() throws {
        #expect(try one(#","expiry":0"#).expiry == nil)
        #expect(try one(#","seen_on":1.754e12"#).seen == 1_754_000_000_000)
        #expect(try one(#","seen_on":1754000000000.6"#).seen == 1_754_000_000_001)
        #expect(try one(#","read_on":"soon","tags":null,"archived":"no","is_pinned":3"#) == one(""))
        #expect(try one(#","tags":["a",1,"b"]"#).tags == ["a", "b"])
        let text =
            #"""
            {"n_id":"a","n_category":"c","created_on":1.754e12,"message":{"tags":["m"],"extra_data":{"b":[1,2.5,null],\#
            "a":"x/y"}}}
            """#
        let row = try ResponseDecoder.decode(response(200, text), as: FeedNotification.self)
        #expect(row.tags == ["m"])
        #expect(row.created == 1_754_000_000_000)
        #expect(row.message.text.isEmpty)
        #expect(row.message.extraData == #"{"a":"x/y","b":[1,2.5,null]}"#)
    }

    @Test(
        "A time is read as a text, too; one that is not readable is that of the id, if it is a ULID",
        arguments: [
            ("01K1VNB0E0ODD000000000004A", #""2025-08-04T22:32:25.613Z""#, 1_754_346_745_613),
            ("a", #""1754346745613""#, 1_754_346_745_613), ("01K1VNB0E0ODD000000000004A", "null", 1754348749248),
            ("01K1VNB0E0ODD000000000004A", #""yesterday""#, 1754348749248), ("01K1VNB0EUODD000000000004A", "null", 0),
            ("a", #""yesterday""#, 0),
        ] as [(String, String, Timestamp)]
    )
    func textTimes(id: String, time: String, expected: Timestamp) throws {
        let text = #"{"n_id":"\#(id)","n_category":null,"created_on":\#(time),"read_on":\#(time),"message":{}}"#
        let row = try ResponseDecoder.decode(response(200, text), as: FeedNotification.self)
        #expect(row.created == expected && row.sortKey == expected)
        #expect(row.category.isEmpty)
        #expect((row.read == nil) == (time == "null" || time.contains("yesterday")))
    }

    @Test("Counts are whole numbers from 0, others are left out") func counts() throws {
        let text = #"{"badge":7,"Unread":3,"Archived":0,"odd":-1,"text":"x","float":2.0}"#
        #expect(
            try ResponseDecoder.decode(response(200, text), as: NotificationCounts.self)
                == NotificationCounts(badge: 7, stores: ["Unread": 3, "Archived": 0, "float": 2])
        )
        #expect(try ResponseDecoder.decode(response(200, "{}"), as: NotificationCounts.self).badge == 0)
    }

    @Test(
        "Each failed answer has its kind, type and whether it can be retried",
        arguments: [
            (
                401, #"{"status":"error","error":{"type":"token_expired","message":"Token expired"}}"#, .unauthorized,
                "TOKEN_EXPIRED", false
            ),
            (
                401, #"{"status":"error","error":{"type":"token_invalid","message":"Token invalid"}}"#, .unauthorized,
                "TOKEN_INVALID", false
            ),
            (400, #"{"status":"error","error":{"type":"TOKEN_INVALID"}}"#, .unauthorized, "TOKEN_INVALID", false),
            (200, #"{"status":"error","error":{"type":"token_expired"}}"#, .unauthorized, "TOKEN_EXPIRED", false),
            (
                403, #"{"status":"error","error":{"type":"permission_denied","message":"Scope mismatch"}}"#, .forbidden,
                "PERMISSION_DENIED", false
            ),
            (404, #"{"code":404,"message":"user [distinct_id: 'user-1'] not found"}"#, .notFound, nil, false),
            (400, #"{"code":400,"detail":{"a":"b"},"message":"validation failed"}"#, .rejected, nil, false),
            (429, "{}", .rateLimited, nil, true),
            (502, "<html>bad gateway</html>", .serverFailure, nil, true),
            (302, "", .unexpectedAnswer, nil, true),
            (200, "<!DOCTYPE html><p>Sign in", .unexpectedAnswer, nil, true),
            (200, #"{"status":"error"}"#, .unexpectedAnswer, nil, true),
            (404, #"{"results":[],"meta":{}}"#, .unexpectedAnswer, nil, true),
        ] as [(Int, String, SuprSendError.Kind, String?, Bool)]
    )
    func failures(status: Int, body: String, kind: SuprSendError.Kind, type: String?, isRetryable: Bool) throws {
        let error = try #require(throws: SuprSendError.self) {
            try ResponseDecoder.decode(response(status, body), as: Acknowledgement.self)
        }
        #expect(error.kind == kind)
        #expect(error.serviceType == type)
        #expect(error.status == status)
        #expect(error.isRetryable == isRetryable)
        #expect(error.message.hasSuffix(".") || error.message.contains(": "))
    }

    @Test(
        "An answer is a refusal by the service only in the service's form",
        arguments: [
            #"{"status":"error","error":{"type":"X","message":"no"}}"#, #"{"status":"error","error":{"message":"no"}}"#,
            #"{"status":"fail","error":{"type":"x"}}"#, #"{"code":STATUS,"message":"no"}"#,
            #"{"code":STATUS,"error_code":"x","type":"y","message":"no","detail":{"a":["b"]}}"#,
        ],
        [(400, .rejected), (401, .unauthorized), (403, .forbidden), (404, .notFound), (422, .rejected)]
            as [(Int, SuprSendError.Kind)]
    )
    func refusals(body: String, answer: (status: Int, kind: SuprSendError.Kind)) throws {
        let body = body.replacing("STATUS", with: "\(answer.status)")
        #expect(try error(answer.status, body).kind == answer.kind)
        #expect(try !error(answer.status, body).isRetryable)
        // Errors of the path to the service are transient, from any sender.
        for status in [408, 421, 425, 429, 499] { #expect(try error(status, body).isRetryable) }
    }

    @Test(
        "A refusal in another form is a gateway's, is transient, and does not concern the credentials",
        arguments: [
            "", "default backend - 404", "<html>404</html>", "\u{0}", "[]", "{}", "null", #"{"message":"Forbidden"}"#,
            #"{"error":"invalid"}"#, #"{"error":{"code":404,"message":"no","status":"NOT_FOUND"}}"#,
            #"{"status":"error"}"#, #"{"status":"error","error":{}}"#, #"{"status":"error","error":"no"}"#,
            #"{"error":{"type":"index_not_found_exception","reason":"no"},"status":404}"#,
            #"{"code":200,"message":"no"}"#,
            #"{"kind":"Status","apiVersion":"v1","status":"Failure","message":"no","reason":"NotFound","code":STATUS}"#,
            #"{"code":"STATUS","message":"no"}"#, #"{"code":STATUS}"#,
            #"{"code":STATUS,"message":"no","request_id":"x"}"#,
            #"{"success":false,"errors":[{"code":STATUS,"message":"no"}]}"#, #"{"results":[],"meta":{}}"#,
        ],
        [400, 401, 403, 404, 405, 410, 413, 422, 429, 451, 408, 421, 425, 499]
    )
    func gateways(body: String, status: Int) throws {
        let error = try error(status, body.replacing("STATUS", with: "\(status)"))
        #expect(error.isRetryable, "\(error)")
        #expect(error.status == status && error.serviceType == nil)
        #expect(error.message.hasSuffix("."))
    }

    @Test("A gateway's 401 causes a token refresh, its 403 does not") func newTokens() throws {
        #expect(try error(401, "<html>").asksForNewToken)
        #expect(try !error(403, "<html>").asksForNewToken)
    }

    private func error(_ status: Int, _ body: String) throws -> SuprSendError {
        try #require(throws: SuprSendError.self) {
            try ResponseDecoder.decode(response(status, body), as: Acknowledgement.self)
        }
    }

    @Test("Retry-After is part of the error") func retryAfter() throws {
        let answer = response(503, "{}", [HTTPField("Retry-After", "7")])
        let error = try #require(throws: SuprSendError.self) {
            try ResponseDecoder.decode(answer, as: Acknowledgement.self)
        }
        #expect(error.retryAfter == .seconds(7))
        let refused = TransportError(.refused(status: 503), "hub.test answered 503", retryAfter: .seconds(9))
        #expect(SuprSendError(refused).retryAfter == .seconds(9))
        #expect(SuprSendError(refused).kind == .unreachable && SuprSendError(refused).status == 503)
    }

    @Test("Any success acknowledges an action, except a web page, and is no page of rows") func acknowledgements()
        throws
    {
        _ = try ResponseDecoder.decode(response(200, #"{"status":"success"}"#), as: Acknowledgement.self)
        for (status, body) in [(200, ""), (201, ""), (202, "OK"), (204, ""), (200, "[]"), (200, "{"), (200, "\u{0}")] {
            _ = try ResponseDecoder.decode(response(status, body), as: Acknowledgement.self)
            _ = try ResponseDecoder.decode(response(status, body), as: PreferenceConfirmation.self)
        }
        for (status, body) in [(200, ""), (204, ""), (200, "[]"), (200, "{"), (200, "\u{0}\u{1}")] {
            let error = #expect(throws: SuprSendError.self) {
                try ResponseDecoder.decode(response(status, body), as: NotificationPage.self)
            }
            #expect(error?.kind == .unexpectedAnswer && error?.status == status && error?.isRetryable == true)
        }
        #expect(throws: SuprSendError.self) { try self.page(#"{"status":"success"}"#) }
    }

    /// Any damage is an error or a page, never a trap.
    @Test("Damaged pages are read or rejected, and do not trap", arguments: 0..<20 as Range<UInt64>)
    func damagedAnswers(seed: UInt64) {
        var chance = SeededGenerator(seed: seed)
        for _ in 0..<50 {
            var bytes = Array(firstPage.utf8)
            for _ in 0...Int.random(in: 0...4, using: &chance) {
                bytes[Int.random(in: bytes.indices, using: &chance)] = UInt8.random(in: .min ... .max, using: &chance)
            }
            if Bool.random(using: &chance) { bytes.removeLast(Int.random(in: 0..<bytes.count, using: &chance)) }
            let page = try? ResponseDecoder.decode(HTTPResponse(status: 200, body: bytes), as: NotificationPage.self)
            #expect((page?.rows.count ?? 0) <= 3)
        }
    }

    @Test(
        "Realtime events are read by name and arguments, and others are ignored",
        arguments: [
            ("new_notification", [["n_id": "a"], "1-0"], .newNotification(id: "a")),
            ("notification_update", [["n_id": "a", "action": "read"]], .notificationUpdate(id: "a")),
            ("bulk_notification_update", [["action": "read", "notification_ids": "all"]], .allRead),
            (
                "bulk_notification_update", [["action": "seen", "notification_ids": ["a", 1, "b"]]],
                .seen(ids: ["a", "b"])
            ),
            ("bulk_notification_update", [["action": "archive", "notification_ids": "all"]], nil),
            ("bulk_notification_update", [["action": "seen", "notification_ids": 7]], nil),
            ("reset_badge", [], .badgeReset),
            ("reset_badge", [[:], "1-0"], .badgeReset),
            ("joined_room", [], nil),
            ("something_new", [["x": 1]], nil),
            ("new_notification", [], nil),
            ("new_notification", ["a"], nil),
            ("new_notification", [["n_id": 7]], nil),
            ("new_notification", [["n_id": ""]], nil),
        ] as [(String, [JSONValue], RealtimeEvent?)]
    )
    func events(name: String, arguments: [JSONValue], event: RealtimeEvent?) {
        #expect(RealtimeEvent(name: name, arguments: arguments) == event)
    }
}
