/// Notifications as they occur at home.
package enum MagicBellSamples {
    /// Five notifications, newest last.
    ///
    /// - Parameter now: milliseconds since the Unix epoch.
    package static func notifications(now: Int64) -> [[String: JSON]] {
        func minutesAgo(_ minutes: Int64) -> JSON { .integer(now / 1000 - minutes * 60) }
        return [
            [
                "title": "Your invoice for October", "category": "billing", "topic": "invoice-2041",
                "content": "<p>Invoice <b>2041</b> over € 129.00 is due on 30 November.</p>",
                "action_url": "https://billing.example.com/invoices/2041", "sent_at": minutesAgo(190),
                "read_at": minutesAgo(170), "seen_at": minutesAgo(170),
            ],
            [
                "title": "Two books are due on Friday", "category": "library", "topic": "loans",
                "content": "<i>The Waves</i> and <i>Invisible Cities</i>; both can be renewed.",
                "action_url": "https://library.example.com/loans", "sent_at": minutesAgo(95),
            ],
            [
                "title": "Appointment on Thursday at 9:30", "category": "health", "topic": "appointment-77",
                "content": "Dr. Okafor, Harbour Street 4. Please come ten minutes early.",
                "action_url": "https://praxis.example.com/appointments/77", "sent_at": minutesAgo(48),
                "custom_attributes": ["appointment": 77, "tags": ["teeth"]],
            ],
            [
                "title": "Grace shared an album with you", "category": "photos", "topic": "album-autumn",
                "content": "<b>24</b> photos of a weekend in the Alps 🏔️",
                "action_url": "https://photos.example.com/albums/autumn", "sent_at": minutesAgo(27),
            ],
            [
                "title": "New sign-in to your account", "category": "security",
                "content": "Firefox on Debian, near Porto. Nothing to do if that was you.", "sent_at": minutesAgo(16),
            ],
        ]
    }
}
