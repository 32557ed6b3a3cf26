import Basics
import CAdwaita

/// The program as the desktop sees it: one process of a session, which later starts talk to.
package enum Application {
    package nonisolated struct Start: Sendable {
        /// The program's name on the bus.
        package var id: String
        /// The name of its desktop entry, by which desktops group windows and find the icon.
        package var desktopEntry: String
        /// The name for people.
        package var name: String
        package var styleSheet: String
        /// Whether the bus starts it, which says then what to do.
        package var isService: Bool
        /// The actions that other programs can activate, with the number of their texts.
        package var actions: [String: Int]
        /// The action to begin with; nil: ``Event/activate``.
        package var action: Action?

        package init(
            id: String,
            desktopEntry: String,
            name: String,
            styleSheet: String,
            isService: Bool,
            actions: [String: Int],
            action: Action?
        ) {
            self.id = id
            self.desktopEntry = desktopEntry
            self.name = name
            self.styleSheet = styleSheet
            self.isService = isService
            self.actions = actions
            self.action = action
        }
    }

    /// An action that another program asks for.
    package nonisolated struct Action: Sendable {
        package var name: String
        package var texts: [String]

        package init(name: String, texts: [String]) { (self.name, self.texts) = (name, texts) }
    }

    package nonisolated enum Event: Sendable {
        /// Show the window.
        case activate
        /// An action in the window, which ``activate`` shows.
        case action(Action)
        /// The session ends, or the user ends the program.
        case terminate
    }

    /// The running application, for its windows.
    static private(set) var current: Object?

    /// Runs it to its end. In a second process, it passes on what to do to the first one, and returns.
    static func run(_ start: Start, _ events: Mailbox<Event>) {
        // On X11, the class of its windows.
        g_set_prgname(start.desktopEntry)
        g_set_application_name(start.name)
        let flags = start.isService ? G_APPLICATION_IS_SERVICE : GApplicationFlags(0)
        let application = Object(owning: UnsafeMutableRawPointer(adw_application_new(start.id, flags)))
        current = application
        application.on("startup") {
            gtk_window_set_default_icon_name(start.desktopEntry)
            use(start.styleSheet)
            silenceIcons()
        }
        application.onObject("window-added") { window in
            // Each time that it is shown, its surface is a new one for the compositor.
            Object(sharing: window).on("map") {
                guard let surface = gtk_native_get_surface(OpaquePointer(window)) else { return }
                feedbell_surface_set_application(surface, start.desktopEntry)
            }
        }
        var isHeld = false
        func hold() {
            // Until the program ends itself.
            if !isHeld { g_application_hold(application.c()) }
            isHeld = true
        }
        application.on("activate") {
            hold()
            events.send(.activate)
        }
        for (name, count) in start.actions {
            let action = add(name, texts: count, to: application)
            action.onObject("activate") { texts in
                hold()
                events.send(.activate)
                events.send(.action(Action(name: name, texts: Self.texts(OpaquePointer(texts)))))
            }
        }
        if let action = start.action {
            if passOn(action, application) { return }
            events.send(.action(action))
        }
        watchSignals(events)
        g_application_run(application.c(), 0, nil)
    }

    private static func add(_ name: String, texts: Int, to application: Object) -> Object {
        let type = g_variant_type_new("(" + String(repeating: "s", count: texts) + ")")
        defer { g_variant_type_free(type) }
        let action = Object(owning: UnsafeMutableRawPointer(g_simple_action_new(name, type)))
        g_action_map_add_action(application.c(), action.c())
        return action
    }

    /// - Returns: Whether another process of the program performs it.
    private static func passOn(_ action: Action, _ application: Object) -> Bool {
        guard g_application_register(application.c(), nil, nil) != 0,
            g_application_get_is_remote(application.c()) != 0
        else { return false }
        var values: [OpaquePointer?] = action.texts.map { g_variant_new_string($0) }
        let argument = g_variant_new_tuple(&values, gsize(values.count))
        g_action_group_activate_action(application.c(), action.name, argument)
        if let connection = g_application_get_dbus_connection(application.c()) {
            g_dbus_connection_flush_sync(connection, nil, nil)
        }
        return true
    }

    private static func texts(_ variant: OpaquePointer) -> [String] {
        (0..<g_variant_n_children(variant)).compactMap { index in
            guard let child = g_variant_get_child_value(variant, index) else { return nil }
            defer { g_variant_unref(child) }
            return g_variant_get_string(child, nil).map { String(cString: $0) }
        }
    }

    private static func use(_ styleSheet: String) {
        let provider = Object(owning: UnsafeMutableRawPointer(gtk_css_provider_new()))
        gtk_css_provider_load_from_data(provider.c(), styleSheet, gssize(styleSheet.utf8.count))
        gtk_style_context_add_provider_for_display(
            gdk_display_get_default(),
            provider.c(),
            guint(GTK_STYLE_PROVIDER_PRIORITY_APPLICATION)
        )
    }

    /// Lets screen readers say nothing of icons. By default, they have the name of their class.
    private static func silenceIcons() {
        let images = g_type_class_ref(gtk_image_get_type())?.assumingMemoryBound(to: GtkWidgetClass.self)
        gtk_widget_class_set_accessible_role(images, GTK_ACCESSIBLE_ROLE_PRESENTATION)
    }

    private static func watchSignals(_ events: Mailbox<Event>) {
        for number in [SIGTERM, SIGINT, SIGHUP] {
            let data = Unmanaged.passRetained(Events(events)).toOpaque()
            let report: GSourceFunc = { events in
                Unmanaged<Events>.fromOpaque(events!).takeUnretainedValue().events.send(.terminate)
                return 1
            }
            g_unix_signal_add_full(G_PRIORITY_DEFAULT, number, report, data, nil)
        }
    }

    private nonisolated final class Events: Sendable {
        let events: Mailbox<Event>

        init(_ events: Mailbox<Event>) { self.events = events }
    }

    // MARK: Opening

    /// A token that lets the program that opens an address take the focus; nil: the desktop has none.
    package static func activationToken() -> String? {
        guard let display = gdk_display_get_default() else { return nil }
        let context = Object(owning: UnsafeMutableRawPointer(gdk_display_get_app_launch_context(display)))
        let command = g_app_info_create_from_commandline("xdg-open", nil, G_APP_INFO_CREATE_NONE, nil)
        guard let command else { return nil }
        let opener = Object(owning: UnsafeMutableRawPointer(command))
        guard let token = g_app_launch_context_get_startup_notify_id(context.c(), opener.c(), nil) else { return nil }
        defer { g_free(token) }
        return String(cString: token)
    }
}
