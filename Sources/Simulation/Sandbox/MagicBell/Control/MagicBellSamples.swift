/// Notifications as they occur on a working day.
package enum MagicBellSamples {
    /// Five notifications, newest last.
    ///
    /// - Parameter now: milliseconds since the Unix epoch.
    package static func notifications(now: Int64) -> [JSON] {
        func minutesAgo(_ minutes: Int64) -> JSON { .integer(now / 1000 - minutes * 60) }
        return [
            [
                "title": "Your invoice for October", "category": "billing", "topic": "invoice-2041",
                "content": "<p>Invoice <b>2041</b> over € 129.00 is due on 30 November.</p>",
                "action_url": "https://billing.example.com/invoices/2041", "sent_at": minutesAgo(190),
                "read_at": minutesAgo(170), "seen_at": minutesAgo(170),
            ],
            [
                "title": "Build 812 failed", "category": "ci", "topic": "build-812",
                "content": "<b>3</b> of 1,482 tests failed in <code>TransportTests</code>.",
                "action_url": "https://ci.example.com/builds/812", "sent_at": minutesAgo(25),
                "custom_attributes": ["build": 812, "tags": ["red"]],
            ],
            [
                "title": "Bob Ito mentioned you", "category": "mentions", "topic": "pull-88",
                "content": "@anna can you look at the retry branch before lunch?",
                "action_url": "https://git.example.com/feed/pulls/88#c12", "sent_at": minutesAgo(9),
            ],
            [
                "title": "Tom & Jerry \"said\"", "category": "mentions", "topic": "pull-88",
                "content": "if (a &lt; b &amp;&amp; c &gt; d) { *p = &amp;q; } <script>alert('hi')</script> 100 %s",
                "action_url": "javascript:alert(1)", "sent_at": minutesAgo(4),
            ],
            ["title": "Maintenance tonight, 22:00 to 23:00 UTC", "sent_at": minutesAgo(1)],
        ]
    }
}
