/// Notifications as they occur on a working day.
package enum SampleNotifications {
    /// - Parameter now: milliseconds since the Unix epoch.
    package static func notifications(now: Int64) -> [JSON] {
        let minute: Int64 = 60_000
        return [
            [
                "n_category": "maintenance", "header": "Maintenance tonight", "is_pinned": true,
                "created_on": .integer(now - 180 * minute), "tags": ["ops"],
                "text": "The package mirror is down **22:00 to 23:00 UTC**. Builds that need it will wait.",
                "subtext": ["text": "Operations"],
            ],
            [
                "n_category": "builds", "header": "Build 4711 finished", "created_on": .integer(now - 25 * minute),
                "text": "`main` built in 6 min 12 s, all 1,482 tests passed.", "tags": ["builds"],
                "url": "https://ci.example.com/builds/4711", "open_in_new_tab": true,
                "actions": [
                    ["name": "Open log", "url": "https://ci.example.com/builds/4711/log"],
                    ["name": "Deploy", "url": "https://ci.example.com/builds/4711/deploy", "open_in_new_tab": true],
                ],
                "extra_data": "{\"build\":4711,\"commit\":\"9f3c2e1\"}",
            ],
            [
                "n_category": "promo", "header": "Half price on keyboards", "created_on": .integer(now - 10 * minute),
                "text": "For ten more minutes only.", "url": "https://shop.example.com/keyboards",
                "expiry": .integer(now + 10 * minute), "is_expiry_visible": true, "tags": ["shop"],
            ],
            [
                "n_category": "mentions", "header": "Bob Ito mentioned you", "created_on": .integer(now - 4 * minute),
                "text": "@anna can you look at the *retry* branch before lunch?",
                "url": "https://git.example.com/feed/pulls/88#c12", "tags": ["comments"],
                "avatar": [
                    "avatar_url": "https://git.example.com/avatars/bob.png",
                    "action_url": "https://git.example.com/bob",
                ],
                "subtext": ["text": "feed, pull request 88", "action_url": "https://git.example.com/feed/pulls/88"],
            ],
            [
                "n_category": "comments", "header": "<b>Tom & Jerry</b> \"said\"",
                "created_on": .integer(now - 2 * minute),
                "text": .string(
                    "if (a < b && c > d) { *p = &q; } <script>alert('hi')</script> "
                        + "[a link](javascript:alert(1)) &amp; 100 %s"
                ),
                "tags": ["comments"],
            ],
            [
                "n_category": "system", "header": "Your weekly summary", "created_on": .integer(now - minute),
                "text": .string(
                    (1...40).map { "Item \($0): a setting was changed; no action is needed." }
                        .joined(separator: "\n\n")
                ),
                "url": "https://example.com/summary",
            ],
        ]
    }
}
