import CAdwaita
import Glibc

/// A window of the application.
package class Window: Widget {
    override class var type: GType { gtk_window_get_type() }

    /// Makes it a window of the application, which a builder cannot know.
    package func join() {
        if let application = Application.current { gtk_window_set_application(c(), application.c()) }
    }

    /// Shows it, in front of others if the desktop allows it.
    package func present() { gtk_window_present(c()) }

    package func close() { gtk_window_close(c()) }

    /// Keeps it in front of another window.
    ///
    /// - Parameter isModal: Whether the other one gets no input meanwhile.
    package func setParent(_ parent: Window, isModal: Bool = false) {
        gtk_window_set_transient_for(c(), parent.c())
        gtk_window_set_modal(c(), isModal ? 1 : 0)
    }

    package func setTitle(_ title: String) { gtk_window_set_title(c(), title) }

    /// Calls `body` instead of closing the window.
    package func onClose(_ body: @escaping () -> Void) {
        onRequest("close-request") {
            body()
            return true
        }
    }

    /// Keeps the window, hidden, when it is closed.
    package func hideOnClose() { gtk_window_set_hide_on_close(c(), 1) }

    /// Calls `body` when the window is closed.
    package func onClosed(_ body: @escaping () -> Void) {
        onRequest("close-request") {
            body()
            return false
        }
    }

    /// Calls `body` when the window gets the keyboard's focus, or loses it.
    package func onActivity(_ body: @escaping (_ isActive: Bool) -> Void) {
        onChange(of: "is-active") { [unowned self] in body(gtk_window_is_active(c()) != 0) }
    }

    private var focusWatch: FocusWatch?

    /// Gives the focus to another widget when the one that has it is removed, hidden, or in a menu that has closed.
    ///
    /// - Parameter restore: Gives the focus to a widget, and returns whether there was one. Otherwise the last one
    ///   outside of menus gets it, or the first one of the window.
    package func keepFocus(restore: @escaping (_ last: Widget?) -> Bool = { _ in false }) {
        focusWatch = FocusWatch(self, restore: restore)
    }

    private lazy var announcer = Announcer(self)

    /// Lets a screen reader say a text, after what it says of a focus that moves now.
    ///
    /// - Parameter text: Called when the focus has moved; empty: nothing is said.
    package func announce(_ text: @autoclosure @escaping () -> String) { announcer.announce(text) }

    /// The texts of ``announce(_:)`` that were not said yet, for a name that says them; nil: there are none.
    package func takeAnnouncement() -> String? { announcer.take() }

    /// - Parameter isDue: Whether the focus is going to move, so that announcements wait.
    package func announceLater(while isDue: @escaping () -> Bool) { announcer.isFocusDue = isDue }

    /// - Parameter widget: The widget beside the one with the focus that screen readers may take for it.
    package func announceAlso(at widget: @escaping () -> Widget?) { announcer.alternative = widget }

    /// Calls `body` when the window comes to the screen or leaves it.
    package func onVisibility(_ body: @escaping (Bool) -> Void) {
        on("map") { [unowned self] in
            body(true)
            guard let surface = gtk_native_get_surface(c()) else { return }
            Object(sharing: UnsafeMutableRawPointer(surface)).onChange(of: "state") { [unowned self] in
                body(isOnScreen)
            }
        }
        on("unmap") { body(false) }
    }

    private var isOnScreen: Bool {
        guard isMapped, let surface = gtk_native_get_surface(c()) else { return false }
        return gdk_toplevel_get_state(surface).rawValue & GDK_TOPLEVEL_STATE_MINIMIZED.rawValue == 0
    }

    /// Whether people touch its display, or tests say so.
    package var isTouched: Bool {
        if getenv("FEEDBELL_WINDOW_TOUCH") != nil { return true }
        guard let seat = gdk_display_get_default_seat(gtk_widget_get_display(c())) else { return false }
        return gdk_seat_get_capabilities(seat).rawValue & GDK_SEAT_CAPABILITY_TOUCH.rawValue != 0
    }

    /// The size on the screen, or the one that it had before it was maximized; it may be set before it is shown.
    package var size: (width: Int, height: Int) {
        get {
            var (width, height): (Int32, Int32) = (0, 0)
            gtk_window_get_default_size(c(), &width, &height)
            return (Int(width), Int(height))
        }
        set { gtk_window_set_default_size(c(), Int32(newValue.width), Int32(newValue.height)) }
    }

    package var isMaximized: Bool {
        get { gtk_window_is_maximized(c()) != 0 }
        set { newValue ? gtk_window_maximize(c()) : gtk_window_unmaximize(c()) }
    }

    /// Calls `body` whenever another widget gets the focus.
    package func onFocus(_ body: @escaping () -> Void) { onChange(of: "focus-widget", body) }

    // MARK: Frames

    private var afterFrame: [() -> Void] = []
    private var isFollowingFrames = false

    /// Calls `body` once after the next frame, when all widgets have their places.
    package func afterFrame(_ body: @escaping () -> Void) {
        afterFrame.append(body)
        if !isFollowingFrames {
            isFollowingFrames = true
            onFrame { [unowned self] in
                let work = afterFrame
                afterFrame = []
                for body in work { body() }
            }
        }
        // Without a clock, the first frame is to come.
        if let clock = gtk_widget_get_frame_clock(c()) {
            gdk_frame_clock_request_phase(clock, GDK_FRAME_CLOCK_PHASE_AFTER_PAINT)
        }
    }

    /// Calls `body` at the end of each frame.
    package func onFrame(_ body: @escaping () -> Void) {
        // A window that was never shown has no clock.
        guard let clock = gtk_widget_get_frame_clock(c()) else {
            on("realize") { [unowned self] in onFrame(body) }
            return
        }
        Object(sharing: UnsafeMutableRawPointer(clock)).on("after-paint", body)
    }

    // MARK: Dialogs

    /// Asks before something is done.
    ///
    /// - Parameters:
    ///   - destroys: Whether it cannot be undone.
    ///   - answered: Whether the user has chosen `yes`.
    package func ask(
        _ question: String,
        text: String,
        yes: String,
        no: String,
        destroys: Bool = false,
        answered: @escaping (Bool) -> Void
    ) {
        let dialog = Object(sharing: UnsafeMutableRawPointer(adw_message_dialog_new(c(), question, text)))
        adw_message_dialog_add_response(dialog.c(), "no", no)
        adw_message_dialog_add_response(dialog.c(), "yes", yes)
        let appearance = destroys ? ADW_RESPONSE_DESTRUCTIVE : ADW_RESPONSE_SUGGESTED
        adw_message_dialog_set_response_appearance(dialog.c(), "yes", appearance)
        adw_message_dialog_set_default_response(dialog.c(), destroys ? "no" : "yes")
        adw_message_dialog_set_close_response(dialog.c(), "no")
        dialog.onText("response") { answered($0 == "yes") }
        gtk_window_present(dialog.c())
    }

    /// Shows a text until the user closes it.
    package func inform(_ title: String, text: String, close: String) {
        let dialog = Object(sharing: UnsafeMutableRawPointer(adw_message_dialog_new(c(), title, text)))
        adw_message_dialog_add_response(dialog.c(), "close", close)
        adw_message_dialog_set_default_response(dialog.c(), "close")
        adw_message_dialog_set_close_response(dialog.c(), "close")
        gtk_window_present(dialog.c())
    }

    package func showAbout(name: String, icon: String, version: String, website: String) {
        let about = Object(sharing: UnsafeMutableRawPointer(adw_about_window_new()))
        adw_about_window_set_application_name(about.c(), name)
        adw_about_window_set_application_icon(about.c(), icon)
        adw_about_window_set_version(about.c(), version)
        adw_about_window_set_website(about.c(), website)
        adw_about_window_set_license_type(about.c(), GTK_LICENSE_APACHE_2_0)
        show(about)
    }

    /// A key of the list of keys.
    package struct Shortcut {
        /// As GTK writes accelerators; several are separated by spaces.
        package var keys: String
        package var meaning: String

        package init(keys: String, meaning: String) {
            self.keys = keys
            self.meaning = meaning
        }

        /// The keys in the user's language.
        fileprivate var labels: [String] {
            keys.split(separator: " ").compactMap { text in
                var (key, modifiers) = (guint(0), GdkModifierType(0))
                guard gtk_accelerator_parse(String(text), &key, &modifiers) != 0,
                    let label = gtk_accelerator_get_label(key, modifiers)
                else { return nil }
                defer { g_free(label) }
                return String(cString: label)
            }
        }
    }

    /// Shows the keys in a window of its own, in groups with titles, each in a row that can be reached.
    package func showShortcuts(_ title: String, _ groups: [(title: String, shortcuts: [Shortcut])]) {
        let builder = Builder(
            """
            <object class="AdwWindow" id="window">
              <property name="title">\(Markup.escaped(title))</property>
              <property name="default-width">420</property><property name="default-height">640</property>
              <property name="width-request">340</property>
              <property name="content"><object class="GtkBox" id="box">
                <property name="orientation">vertical</property>
                <child><object class="AdwHeaderBar"/></child>
              </object></property>
            </object>
            """
        )
        let (window, box): (Window, Box) = (builder.get("window"), builder.get("box"))
        let page = RowPage(title: title, icon: "")
        for (title, shortcuts) in groups {
            let group = RowGroup()
            group.set(title: title, text: "")
            for shortcut in shortcuts {
                let row = ActionRow()
                row.setTitle(shortcut.meaning)
                row.setSpoken(([shortcut.meaning] + shortcut.labels).joined(separator: ", "), "")
                // Keys as they are on a keyboard.
                row.add(suffix: Widget(owning: UnsafeMutableRawPointer(gtk_shortcut_label_new(shortcut.keys))))
                group.add(row)
            }
            page.add(group)
        }
        page.set("vexpand", true)
        box.append(page)
        window.closeOnEscape()
        show(window)
        page.first(ActionRow.self)?.grabFocus()
    }

    package func closeOnEscape() {
        // GTK's window lives longer than this object.
        let window: UnsafeMutablePointer<GtkWindow> = c()
        onKey { key in
            if key.name == "Escape" { gtk_window_close(window) }
            return key.name == "Escape"
        }
    }

    private func show(_ dialog: Object) {
        let dialog = Window(sharing: dialog.pointer)
        dialog.setParent(self, isModal: true)
        dialog.present()
    }
}

/// Shows short messages over its content.
package final class ToastOverlay: Widget {
    override class var type: GType { adw_toast_overlay_get_type() }

    /// How long a toast with a button is shown.
    private static let secondsWithButton: guint = 10

    /// In characters: longer texts are shown as long as those with a button.
    private static let shortLength = 60

    /// In pixels: where a line of text has its place beside the buttons.
    private static let wideWidth: Int32 = 480

    private static let title = """
        <object class="GtkBox" id="title">
          <property name="orientation">vertical</property><property name="spacing">4</property>
          <child><object class="GtkLabel" id="text">
            <property name="xalign">0</property>
            \(Builder.wraps)
            <style><class name="heading"/></style>
          </object></child>
          <child><object class="GtkButton" id="second">
            <property name="halign">start</property>
            <property name="child"><object class="GtkLabel" id="second-label">\(Builder.wraps)</object></property>
          </object></child>
        </object>
        """

    private var toasts: [Int: Object] = [:]

    /// - Parameters:
    ///   - text: Plain text.
    ///   - close: What a screen reader says of the button that closes it.
    ///   - pressed: Its button was pressed.
    ///   - second: The label of a button below the text; nil: there is none.
    package func show(
        _ number: Int,
        _ text: String,
        close: String,
        button: String?,
        pressed: @escaping () -> Void,
        second: String?,
        secondPressed: @escaping () -> Void
    ) {
        let toast = Object(owning: UnsafeMutableRawPointer(adw_toast_new(Markup.escaped(text))))
        // Its own title would be cut off at the end of the line.
        let builder = Builder(Self.title)
        let (title, label, other): (Box, Label, Button) = (
            builder.get("title"), builder.get("text"), builder.get("second")
        )
        label.text = text
        // A toast that wants more width than there is loses its last buttons, and its lines.
        let isNarrow = gtk_widget_get_width(c()) < Self.wideWidth
        let otherLabel: Label = builder.get("second-label")
        for part in [label, otherLabel] { gtk_label_set_max_width_chars(part.c(), isNarrow ? 12 : 30) }
        other.isVisible = second != nil
        other.setAccessibleLabel(second ?? "")
        otherLabel.text = second ?? ""
        let place = title.pointer
        title.on("map") {
            let buttons = Widget(sharing: place).parent?.parent?.children.filter { $0.isA(Button.type) } ?? []
            // It has only an icon.
            buttons.last?.setOnlyLabel(close)
            // libadwaita 1.7 cuts the label of the other one.
            buttons.first?.setIfKnown("can-shrink", false)
        }
        other.on("clicked") { [unowned self] in
            hide(number)
            secondPressed()
        }
        adw_toast_set_custom_title(toast.c(), title.c())
        if text.count > Self.shortLength { adw_toast_set_timeout(toast.c(), Self.secondsWithButton) }
        if let button {
            adw_toast_set_button_label(toast.c(), button)
            adw_toast_set_timeout(toast.c(), Self.secondsWithButton)
            // A toast with a button is shown before those that wait: what it offers is of this moment.
            adw_toast_set_priority(toast.c(), ADW_TOAST_PRIORITY_HIGH)
        }
        toast.on("button-clicked", pressed)
        toast.on("dismissed") { [unowned self] in
            toasts[number] = nil
        }
        toasts[number] = toast
        // The overlay takes a reference; the object releases its own.
        adw_toast_overlay_add_toast(c(), g_object_ref(toast.pointer).map { OpaquePointer($0) })
    }

    package func hide(_ number: Int) {
        if let toast = toasts[number] { adw_toast_dismiss(toast.c()) }
    }
}

/// Work after the present event.
package enum Later {
    /// Calls `body` once, when the main loop has nothing else to do.
    package static func whenIdle(_ body: @escaping () -> Void) {
        g_idle_add_full(G_PRIORITY_DEFAULT_IDLE, run, Unmanaged.passRetained(Work(body)).toOpaque(), release)
    }

    /// The time for a step of longer work: in a frame there is time for others.
    package static let step = Duration.milliseconds(8)

    /// Calls `body` until it returns false: for a step at once, and further steps whenever the main loop has nothing
    /// else to do.
    package static func inSteps(of step: Duration = step, _ body: @escaping () -> Bool) {
        let end = ContinuousClock.now + step
        while body() {
            if ContinuousClock.now >= end { return whenIdle { inSteps(of: step, body) } }
        }
    }

    /// Calls `body` once, after this time.
    package static func after(milliseconds: Int, _ body: @escaping () -> Void) {
        g_timeout_add_full(
            G_PRIORITY_DEFAULT,
            guint(milliseconds),
            run,
            Unmanaged.passRetained(Work(body)).toOpaque(),
            release
        )
    }

    private static let run: GSourceFunc = { body in
        let body = Unmanaged<Work>.fromOpaque(body!).takeUnretainedValue()
        MainActor.assumeIsolated { body.body() }
        return 0
    }

    private static let release: GDestroyNotify = { Unmanaged<Work>.fromOpaque($0!).release() }

    private final class Work {
        let body: () -> Void

        init(_ body: @escaping () -> Void) { self.body = body }
    }
}
