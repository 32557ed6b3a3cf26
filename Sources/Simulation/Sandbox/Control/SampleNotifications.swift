/// Notifications as they occur on a working day.
package enum SampleNotifications {
    private static let minute: Int64 = 60_000

    /// Eight notifications, newest last, one of them pinned and one archived.
    ///
    /// - Parameters:
    ///   - now: milliseconds since the Unix epoch.
    ///   - host: the URL of the sandbox, which serves the pictures of the senders.
    package static func notifications(now: Int64, host: String) -> [[String: JSON]] {
        let samples: [(minutesAgo: Int64, fields: [String: JSON])] = [
            (2880, release), (180, maintenance), (55, workshop(now: now)), (34, designReview), (19, build), (12, order),
            (6, mention), (2, approval),
        ]
        return samples.map { sample in
            var fields = sample.fields
            fields["created_on"] = .integer(now - sample.minutesAgo * minute)
            if let sender = fields.removeValue(forKey: "sender")?.string.flatMap(SamplePicture.init(rawValue:)) {
                fields["avatar"] = [
                    "avatar_url": .string(host + sender.path),
                    "action_url": .string("https://people.example.com/\(sender.rawValue)"),
                ]
            }
            return fields
        }
    }

    private static let release: [String: JSON] = [
        "n_category": "releases", "header": "Release 2.4 is out", "archived": true,
        "text": """
        What is new:

        - Uploads continue after a lost connection
        - Search finds words within attachments
        - The calendar shows public holidays
        - Exports have the time zone of the reader
        """,
        "url": "https://example.com/releases/2.4",
    ]

    private static let maintenance: [String: JSON] = [
        "n_category": "maintenance", "header": "Maintenance on Saturday evening", "is_pinned": true, "tags": ["ops"],
        "text": "The package mirror is down **22:00 to 23:00 UTC**. Builds that need it will wait.",
        "subtext": ["text": "Operations"],
    ]

    private static func workshop(now: Int64) -> [String: JSON] {
        [
            "n_category": "events", "header": "Two seats are left for the Swift workshop", "tags": ["events"],
            "text": "Thursday, 14:00, in the library. Bring a laptop and one question.",
            "url": "https://events.example.com/swift",
            "expiry": .integer(now + 45 * minute), "is_expiry_visible": true,
            "actions": [["name": "Register", "url": "https://events.example.com/swift/register"]],
        ]
    }

    private static let designReview: [String: JSON] = [
        "n_category": "comments", "header": "佐藤由紀さんからのコメント", "tags": ["comments"], "sender": "yuki",
        "text": "明日のデザインレビューは **10 時**からに変更になりました。", "url": "https://docs.example.com/design#c3",
    ]

    private static let build: [String: JSON] = [
        "n_category": "builds", "header": "Build 4711 failed", "tags": ["builds"],
        "text": "**3** of 1,482 tests failed on `main`, all of them in `TransportTests`.",
        "url": "https://ci.example.com/builds/4711", "open_in_new_tab": true,
        "actions": [
            ["name": "Open Log", "url": "https://ci.example.com/builds/4711/log"],
            ["name": "Run Again", "url": "https://ci.example.com/builds/4711/run", "open_in_new_tab": true],
        ],
        "extra_data": "{\"build\":4711,\"commit\":\"9f3c2e1\"}",
    ]

    private static let order: [String: JSON] = [
        "n_category": "orders", "header": "Your headset is on its way", "tags": ["shop"],
        "text": "Order **A-20417** arrives tomorrow between 9:00 and 12:00.",
        "url": "https://shop.example.com/orders/A-20417",
        "actions": [["name": "Track Parcel", "url": "https://parcels.example.com/A-20417"]],
    ]

    private static let mention: [String: JSON] = [
        "n_category": "mentions", "header": "Bob Ito mentioned you", "tags": ["comments"], "sender": "bob",
        "text": "@anna can you look at the *retry* branch before lunch?",
        "url": "https://git.example.com/feed/pulls/88#c12",
        "subtext": ["text": "feed, pull request 88", "action_url": "https://git.example.com/feed/pulls/88"],
    ]

    private static let approval: [String: JSON] = [
        "n_category": "approvals", "header": "Carla Ruiz asks for your approval", "tags": ["approvals"],
        "sender": "carla", "text": "Train to Lisbon and two nights for **€ 640**, 3 to 5 December.",
        "url": "https://travel.example.com/requests/112",
        "actions": [
            ["name": "Approve", "url": "https://travel.example.com/requests/112/approve"],
            ["name": "Decline", "url": "https://travel.example.com/requests/112/decline"],
        ],
    ]
}
