import CAdwaita

/// A window with a page of rows, and buttons to save what they have or to leave it.
package final class FormWindow {
    package let window: Window
    private let box: Box
    private let submit: Button
    private let revealer: Revealer
    private let banner: Widget
    private let message: Label
    private let spinner: Spinner

    /// - Parameter height: At its opening, in pixels.
    package init(title: String, cancel: String, submit label: String, height: Int = 640) {
        let builder = Builder(Self.description(title: title, cancel: cancel, submit: label, height: height))
        window = builder.get("window")
        box = builder.get("box")
        submit = builder.get("submit")
        revealer = builder.get("revealer")
        banner = builder.get("banner")
        message = builder.get("message")
        spinner = builder.get("spinner")
        window.keepFocus()
        builder.get("cancel", as: Button.self).on("clicked") { [unowned window] in window.close() }
        window.closeOnEscape()
    }

    package func show(_ page: RowPage) {
        page.set("vexpand", true)
        box.append(page)
    }

    /// Calls `body` instead of closing the window; it returns whether to close it all the same.
    package func onClose(_ body: @escaping () -> Bool) { window.onRequest("close-request") { !body() } }

    package func onSubmit(_ body: @escaping () -> Void) { submit.on("clicked", body) }

    /// - Parameter text: The line above the page; empty: none.
    package func set(canSubmit: Bool, message text: String, isBusy: Bool) {
        submit.isSensitive = canSubmit
        // The line keeps its text while it goes.
        if !text.isEmpty {
            message.text = text
            banner.setAccessibleLabel(text)
        }
        revealer.isRevealed = !text.isEmpty
        (spinner.isVisible, spinner.isSpinning) = (isBusy, isBusy)
    }

    /// Gives the focus to the button that submits: Enter presses it.
    package func focusSubmit() { submit.grabFocus() }

    /// Gives the focus to the line above the page, so that screen readers read it.
    package func focusMessage() { focusMessage(frames: 10) }

    /// A line that had no text before is shown in one of the next frames.
    private func focusMessage(frames: Int) {
        window.afterFrame { [weak self] in
            guard let self else { return }
            if !banner.isMapped, frames > 1 { return focusMessage(frames: frames - 1) }
            banner.grabFocus()
            banner.reportFocusLater()
        }
    }

    private static func description(title: String, cancel: String, submit: String, height: Int) -> String {
        """
        <object class="AdwWindow" id="window">
          <property name="title">\(Markup.escaped(title))</property>
          <property name="default-width">520</property>
          <property name="default-height">\(height)</property>
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
              <property name="child"><object class="GtkBox" id="banner">
                <property name="spacing">10</property>
                <property name="focusable">1</property>
                <property name="accessible-role">alert</property>
                <style><class name="banner"/><class name="line"/></style>
                <child><object class="GtkSpinner" id="spinner"/></child>
                <child><object class="GtkLabel" id="message">
                  <property name="hexpand">1</property><property name="xalign">0</property>
                  \(Builder.wraps)
                </object></child>
              </object></property>
            </object></child>
          </object></property>
        </object>
        """
    }
}
