import Basics
import ClientKit

/// Encodes a row in the service's form, so that an app can store it and decode the same row again.
extension FeedNotification: Encodable {
    /// Writes a row in the service's form. Nil members are omitted.
    public func encode(to encoder: any Encoder) throws {
        var row = encoder.container(keyedBy: WireKey.self)
        try row.encode(id, forKey: "n_id")
        try row.encode(category, forKey: "n_category")
        try row.encodeIfPresent(tenantID, forKey: "tenant_id")
        try row.encodeIfPresent(importance, forKey: "importance")
        try row.encode(tags, forKey: "tags")
        try row.encode(isArchived, forKey: "archived")
        try row.encode(isPinned, forKey: "is_pinned")
        try row.encodeIfPresent(canUserUnpin, forKey: "can_user_unpin")
        try row.encode(isExpiryVisible, forKey: "is_expiry_visible")
        try row.encode(message, forKey: "message")
        // The service's raw number, even if it is not in milliseconds.
        try row.encode(sortKey.milliseconds, forKey: "created_on")
        try row.encodeIfPresent(seen?.milliseconds, forKey: "seen_on")
        try row.encodeIfPresent(read?.milliseconds, forKey: "read_on")
        try row.encodeIfPresent(interacted?.milliseconds, forKey: "interacted_on")
        try row.encodeIfPresent(expiry?.milliseconds, forKey: "expiry")
    }
}

extension FeedNotification.Message: Encodable {
    /// Writes the service's `message`.
    public func encode(to encoder: any Encoder) throws {
        var wire = encoder.container(keyedBy: WireKey.self)
        try wire.encodeIfPresent(schema, forKey: "schema")
        try wire.encodeIfPresent(header, forKey: "header")
        try wire.encode(text, forKey: "text")
        try wire.encodeIfPresent(subtext, forKey: "subtext")
        try wire.encodeIfPresent(avatar, forKey: "avatar")
        try wire.encodeIfPresent(url, forKey: "url")
        try wire.encodeIfPresent(opensInNewTab, forKey: "open_in_new_tab")
        try wire.encodeIfPresent(extraData, forKey: "extra_data")
        try wire.encode(actions, forKey: "actions")
    }
}

extension FeedNotification.Subtext: Encodable {
    /// Writes the service's `subtext`.
    public func encode(to encoder: any Encoder) throws {
        var wire = encoder.container(keyedBy: WireKey.self)
        try wire.encode(text, forKey: "text")
        try wire.encodeIfPresent(actionURL, forKey: "action_url")
    }
}

extension FeedNotification.Avatar: Encodable {
    /// Writes the service's `avatar`.
    public func encode(to encoder: any Encoder) throws {
        var wire = encoder.container(keyedBy: WireKey.self)
        try wire.encode(url, forKey: "avatar_url")
        try wire.encodeIfPresent(actionURL, forKey: "action_url")
    }
}

extension FeedNotification.Action: Encodable {
    /// Writes one of the service's `actions`.
    public func encode(to encoder: any Encoder) throws {
        var wire = encoder.container(keyedBy: WireKey.self)
        try wire.encode(name, forKey: "name")
        try wire.encode(url, forKey: "url")
        try wire.encodeIfPresent(opensInNewTab, forKey: "open_in_new_tab")
    }
}
