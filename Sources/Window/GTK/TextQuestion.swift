import CAdwaita

/// A dialog that asks for a text, and says what it means while it is written.
package final class TextQuestion {
    private let dialog: Object
    private let entry: Widget
    private let sentence: Label
    private let check: (String) -> (meaning: String, problem: String?)

    /// - Parameters:
    ///   - label: What a screen reader says of the entry.
    ///   - text: What it contains at first.
    ///   - check: What a text means, or what can be written instead, in a sentence; and why it cannot be chosen.
    package init(
        _ question: String,
        over window: Window,
        label: String,
        text: String,
        yes: String,
        no: String,
        check: @escaping (String) -> (meaning: String, problem: String?)
    ) {
        dialog = Object(sharing: UnsafeMutableRawPointer(adw_message_dialog_new(window.c(), question, nil)))
        let builder = Builder(Self.description)
        let content: Box = builder.get("content")
        entry = builder.get("entry")
        sentence = builder.get("sentence")
        self.check = check
        adw_message_dialog_add_response(dialog.c(), "no", no)
        adw_message_dialog_add_response(dialog.c(), "yes", yes)
        adw_message_dialog_set_response_appearance(dialog.c(), "yes", ADW_RESPONSE_SUGGESTED)
        adw_message_dialog_set_default_response(dialog.c(), "yes")
        adw_message_dialog_set_close_response(dialog.c(), "no")
        adw_message_dialog_set_extra_child(dialog.c(), content.c())
        entry.setAccessibleLabel(label)
        gtk_editable_set_text(entry.c(), text)
        showMeaning()
        entry.on("changed") { [unowned self] in showMeaning() }
        entry.on("activate") { [unowned self] in if let problem = check(self.text).problem { say(problem) } }
    }

    /// Shows it, and calls `answered` with the text if the user chooses `yes`. Until then the dialog keeps this object.
    package func ask(_ answered: @escaping (String) -> Void) {
        dialog.onText("response") { [self] response in if response == "yes" { answered(text) } }
        gtk_window_present(dialog.c())
        entry.grabFocus()
    }

    private var text: String { gtk_editable_get_text(entry.c()).map { String(cString: $0) } ?? "" }

    private func showMeaning() {
        let (meaning, problem) = check(text)
        say(meaning)
        entry.setInvalid(problem != nil)
        adw_message_dialog_set_response_enabled(dialog.c(), "yes", problem == nil ? 1 : 0)
    }

    /// Shows a sentence below the entry. A screen reader says it, unless it is the same as before.
    private func say(_ text: String) {
        sentence.text = text
        entry.setAccessibleDescription(text)
    }

    private static let description = """
        <object class="GtkBox" id="content">
          <property name="orientation">vertical</property><property name="spacing">6</property>
          <child><object class="GtkEntry" id="entry"><property name="activates-default">1</property></object></child>
          <child><object class="GtkLabel" id="sentence">
            <property name="wrap">1</property><property name="wrap-mode">word-char</property>
            <property name="max-width-chars">40</property>
          </object></child>
        </object>
        """
}
