import CAdwaita

/// A window with a page of rows, and buttons to save what they have or to leave it.
package final class FormWindow: Window {
    override class var type: GType { adw_window_get_type() }

    private var parts: Builder?

    package convenience init(title: String, cancel: String, submit: String) {
        let builder = Builder(Self.description(title: title, cancel: cancel, submit: submit))
        let window: Window = builder.get("window")
        // GTK owns the windows.
        self.init(sharing: window.pointer)
        parts = builder
        builder.get("cancel", as: Button.self).on("clicked") { [unowned self] in close() }
        onKey { [unowned self] key in
            if key.name == "Escape" { close() }
            return key.name == "Escape"
        }
    }

    /// Keeps it in front of another window.
    package func setParent(_ parent: Window) {
        gtk_window_set_transient_for(c(), parent.c())
        gtk_window_set_modal(c(), 1)
    }

    package func show(_ page: RowPage) {
        page.set("vexpand", true)
        parts?.get("box", as: Box.self).append(page)
    }

    package func onSubmit(_ body: @escaping () -> Void) {
        parts?.get("submit", as: Button.self).on("clicked", body)
    }

    /// - Parameter message: The line above the page; empty: none.
    package func set(canSubmit: Bool, message: String, isBusy: Bool) {
        guard let parts else { return }
        parts.get("submit", as: Button.self).isSensitive = canSubmit
        let label: Label = parts.get("message")
        if !message.isEmpty { label.text = message }
        parts.get("revealer", as: Revealer.self).isRevealed = !message.isEmpty
        let spinner: Spinner = parts.get("spinner")
        (spinner.isVisible, spinner.isSpinning) = (isBusy, isBusy)
    }

    private static func description(title: String, cancel: String, submit: String) -> String {
        """
        <object class="AdwWindow" id="window">
          <property name="title">\(Markup.escaped(title))</property>
          <property name="default-width">520</property>
          <property name="default-height">640</property>
          <property name="width-request">340</property>
          <property name="content"><object class="GtkBox" id="box">
            <property name="orientation">vertical</property>
            <child><object class="AdwHeaderBar">
              <property name="show-end-title-buttons">0</property>
              <property name="show-start-title-buttons">0</property>
              <child type="start"><object class="GtkButton" id="cancel">
                <property name="label">\(Markup.escaped(cancel))</property>
              </object></child>
              <child type="end"><object class="GtkButton" id="submit">
                <property name="label">\(Markup.escaped(submit))</property>
                <style><class name="suggested-action"/></style>
              </object></child>
            </object></child>
            <child><object class="GtkRevealer" id="revealer">
              <property name="child"><object class="GtkBox">
                <property name="spacing">10</property>
                <style><class name="banner"/><class name="line"/></style>
                <child><object class="GtkSpinner" id="spinner"/></child>
                <child><object class="GtkLabel" id="message">
                  <property name="hexpand">1</property><property name="xalign">0</property>
                  <property name="wrap">1</property><property name="wrap-mode">word-char</property>
                  <property name="accessible-role">alert</property>
                </object></child>
              </object></property>
            </object></child>
          </object></property>
        </object>
        """
    }
}
