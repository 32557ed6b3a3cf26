import CAdwaita

/// A row with a label and a text below it.
///
/// The AdwEntryRow of libadwaita 1.2 tells screen readers neither its label nor that it has the focus.
package final class FieldRow {
    package let row: PreferencesRow
    private let label: Label
    private let entry: Widget
    private let apply: Button
    private var canApply = false
    private var applying: () -> Void = {}
    /// The last text that was set or applied.
    private var applied = ""

    /// - Parameter isSecret: Whether the text is shown only if the user wants it.
    package init(isSecret: Bool = false) {
        let builder = Builder(Self.description(isSecret: isSecret))
        row = builder.get("row")
        label = builder.get("label")
        entry = builder.get("entry")
        apply = builder.get("apply")
        apply.isVisible = false
        row.onClick(button: 1) { [unowned entry] _, _, _ in entry.grabFocus() }
    }

    package var text: String {
        get { gtk_editable_get_text(entry.c()).map { String(cString: $0) } ?? "" }
        set {
            applied = newValue
            if text != newValue { gtk_editable_set_text(entry.c(), newValue) }
            showApply()
        }
    }

    /// - Parameter spoken: What a screen reader says.
    package func setTitle(_ title: String, spoken: String) {
        row.setTitle(title)
        label.text = title
        entry.setAccessibleLabel(spoken)
    }

    /// Says that the text is wrong; empty: it is not.
    package func setProblem(_ problem: String) { describe(problem, isInvalid: !problem.isEmpty) }

    /// Sets what a screen reader says after the title, and whether the text is wrong.
    package func describe(_ text: String, isInvalid: Bool) {
        entry.setAccessibleDescription(text)
        entry.setInvalid(isInvalid)
    }

    package func takeFocus() { entry.grabFocus() }

    /// Calls `body` when the user applies the text, by Enter or with a button that appears after a change.
    ///
    /// - Parameter label: What the button does.
    package func onApply(label: String, _ body: @escaping () -> Void) {
        canApply = true
        apply.setTooltip(label)
        apply.setAccessibleLabel(label)
        applying = body
        self.apply.on("clicked") { [weak self] in self?.applyText() }
        onEnter { [weak self] in self?.applyText() }
        onTyping { [weak self] in self?.showApply() }
    }

    /// Does what the button does.
    package func applyText() {
        applied = text
        showApply()
        applying()
    }

    private func showApply() { apply.isVisible = canApply && text != applied }

    /// Calls `body` after each change.
    package func onTyping(_ body: @escaping () -> Void) { entry.on("changed", body) }

    /// Calls `body` when Enter is pressed.
    package func onEnter(_ body: @escaping () -> Void) { entry.on("activate", body) }

    private static func description(isSecret: Bool) -> String {
        let entry =
            isSecret
            ? "<object class=\"GtkPasswordEntry\" id=\"entry\"><property name=\"show-peek-icon\">1</property>"
            : "<object class=\"GtkEntry\" id=\"entry\">"
        return """
            <object class="AdwPreferencesRow" id="row">
              <property name="activatable">0</property><property name="focusable">0</property>
              <style><class name="field"/></style>
              <property name="child"><object class="GtkBox">
                <property name="spacing">6</property>
                <child><object class="GtkBox">
                  <property name="orientation">vertical</property><property name="hexpand">1</property>
                  <property name="valign">center</property>
                  <child><object class="GtkLabel" id="label">
                    <property name="xalign">0</property>
                    \(Builder.wraps)
                    <style><class name="caption"/><class name="dim-label"/></style>
                  </object></child>
                  <child>\(entry)</object></child>
                </object></child>
                <child><object class="GtkButton" id="apply">
                  <property name="icon-name">object-select-symbolic</property>
                  <property name="valign">center</property>
                  <style><class name="flat"/></style>
                </object></child>
              </object></property>
            </object>
            """
    }
}
