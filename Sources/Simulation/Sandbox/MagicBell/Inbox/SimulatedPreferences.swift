/// The preferences of one user: categories with channels.
package struct SimulatedPreferences: Sendable, Equatable {
    package struct Category: Sendable, Equatable {
        package var slug: String
        package var label: String
        package var channels: [Channel]
    }

    package struct Channel: Sendable, Equatable {
        package var slug: String
        package var label: String
        package var enabled: Bool
    }

    /// A toggle that a client asks for.
    struct Toggle: Equatable {
        var category: String
        var channel: String
        var enabled: Bool
    }

    package var categories: [Category]

    /// Applies all toggles, or none and returns the first one without a category or channel.
    mutating func apply(_ toggles: [Toggle]) -> Toggle? {
        var changed = self
        for toggle in toggles {
            guard let category = categories.firstIndex(where: { $0.slug == toggle.category }),
                let channel = categories[category].channels.firstIndex(where: { $0.slug == toggle.channel })
            else { return toggle }
            changed.categories[category].channels[channel].enabled = toggle.enabled
        }
        self = changed
        return nil
    }

    /// Whether a channel of a category is on; nil when there is none.
    package func isEnabled(_ channel: String, of category: String) -> Bool? {
        categories.first { $0.slug == category }?.channels.first { $0.slug == channel }?.enabled
    }

    /// The initial preferences of a user.
    package static let sample = SimulatedPreferences(
        categories: [
            Category(slug: "billing", label: "Billing", channels: channels([("email", true), ("in_app", true)])),
            Category(
                slug: "ci",
                label: "Builds",
                channels: channels([("email", false), ("in_app", true), ("mobile_push", true), ("web_push", false)])
            ),
            Category(
                slug: "mentions",
                label: "Mentions",
                channels: channels([("email", true), ("in_app", true), ("slack", false)])
            ),
        ]
    )

    private static func channels(_ states: [(String, Bool)]) -> [Channel] {
        let labels = [
            "email": "E-mail", "in_app": "In app", "mobile_push": "Mobile push", "slack": "Slack",
            "web_push": "Web push",
        ]
        return states.map { Channel(slug: $0.0, label: labels[$0.0] ?? $0.0, enabled: $0.1) }
    }

    // MARK: JSON

    /// `categories` of the REST API (v1) with `accept-version: v2`.
    var json: JSON {
        .array(
            categories.map { category in
                [
                    "slug": .string(category.slug), "label": .string(category.label),
                    "channels": .array(
                        category.channels.map {
                            ["slug": .string($0.slug), "label": .string($0.label), "enabled": .bool($0.enabled)]
                        }
                    ),
                ]
            }
        )
    }

    /// `categories` of the REST API (v1) without a version: only four channels.
    var olderJSON: JSON {
        .object(
            Dictionary(
                uniqueKeysWithValues: categories.map { category in
                    let known = category.channels.filter { Self.olderChannels.contains($0.slug) }
                    let channels = known.map { ($0.slug, JSON.bool($0.enabled)) }
                    return (category.slug, .object(Dictionary(channels, uniquingKeysWith: { $1 })))
                }
            )
        )
    }

    static let olderChannels: Set = ["email", "in_app", "mobile_push", "web_push"]

    /// The object of the user API (v2).
    var userAPIJSON: JSON {
        [
            "categories": .array(
                categories.map { category in
                    [
                        "key": .string(category.slug), "label": .string(category.label),
                        "channels": .array(
                            category.channels.map { ["name": .string($0.slug), "enabled": .bool($0.enabled)] }
                        ),
                    ]
                }
            )
        ]
    }

    /// Reads what a command sets: the form of ``json``; nil for other JSON.
    init?(parsing json: JSON) {
        guard let list = json.array else { return nil }
        categories = []
        for entry in list {
            guard let slug = entry["slug"]?.string, let channels = entry["channels"]?.array else { return nil }
            var category = Category(slug: slug, label: entry["label"]?.string ?? slug, channels: [])
            for channel in channels {
                guard let slug = channel["slug"]?.string, let enabled = channel["enabled"]?.bool else { return nil }
                category.channels.append(
                    Channel(slug: slug, label: channel["label"]?.string ?? slug, enabled: enabled)
                )
            }
            categories.append(category)
        }
    }

    package init(categories: [Category]) { self.categories = categories }
}
