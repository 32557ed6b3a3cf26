import CAdwaita

/// Whether the desktop writes times of day with 12 or 24 hours.
package enum ClockFormat {
    /// nil: it leaves that to the locale. Other desktops than GNOME have its setting too, with a default that they do
    /// not follow.
    package static func hours(isGNOME: Bool) -> Int? {
        let (schema, key) = ("org.gnome.desktop.interface", "clock-format")
        guard let source = g_settings_schema_source_get_default(),
            let found = g_settings_schema_source_lookup(source, schema, 1)
        else { return nil }
        defer { g_settings_schema_unref(found) }
        guard g_settings_schema_has_key(found, key) != 0, let settings = g_settings_new(schema) else { return nil }
        defer { g_object_unref(settings) }
        let own = g_settings_get_user_value(settings, key)
        defer { own.map(g_variant_unref) }
        guard isGNOME || own != nil, let text = g_settings_get_string(settings, key) else { return nil }
        defer { g_free(text) }
        return String(cString: text) == "12h" ? 12 : 24
    }
}
