/// The common channels by name. A value of nil: the channel is not offered, or is not part of a change.
extension NotificationPreferences {
    /// The category with this slug; nil: there is none.
    public subscript(slug: String) -> Category? { categories.first { $0.slug == slug } }
}

extension NotificationPreferences.Category {
    /// Whether the channel with this slug is on; nil: it is absent. Set to add or change it, or nil to remove it.
    public subscript(channel slug: String) -> Bool? {
        get { channels.first { $0.slug == slug }?.isEnabled }
        set {
            let index = channels.firstIndex { $0.slug == slug }
            switch (index, newValue) {
            case (let index?, let value?): channels[index].isEnabled = value
            case (let index?, nil): channels.remove(at: index)
            case (nil, let value?):
                let place = channels.firstIndex { $0.slug > slug } ?? channels.endIndex
                channels.insert(NotificationPreferences.Channel(slug: slug, isEnabled: value), at: place)
            case (nil, nil): break
            }
        }
    }

    /// The channel `email`.
    public var email: Bool? {
        get { self[channel: "email"] }
        set { self[channel: "email"] = newValue }
    }

    /// The channel `in_app`: the inbox.
    public var inApp: Bool? {
        get { self[channel: "in_app"] }
        set { self[channel: "in_app"] = newValue }
    }

    /// The channel `mobile_push`.
    public var mobilePush: Bool? {
        get { self[channel: "mobile_push"] }
        set { self[channel: "mobile_push"] = newValue }
    }

    /// The channel `web_push`.
    public var webPush: Bool? {
        get { self[channel: "web_push"] }
        set { self[channel: "web_push"] = newValue }
    }

    /// The channel `slack`.
    public var slack: Bool? {
        get { self[channel: "slack"] }
        set { self[channel: "slack"] = newValue }
    }
}
