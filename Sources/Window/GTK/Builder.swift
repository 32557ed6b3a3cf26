import CAdwaita

/// The objects of a description in the XML of GtkBuilder.
package final class Builder {
    private let object: Object

    /// - Parameter xml: Without the element `interface`. A mistake in it is one of ours.
    package init(_ xml: String) {
        let text = "<interface>\(xml)</interface>"
        guard let builder = gtk_builder_new_from_string(text, gssize(text.utf8.count)) else {
            preconditionFailure("GTK has no builder.")
        }
        object = Object(owning: UnsafeMutableRawPointer(builder))
        nameIconButtons()
    }

    /// Lets a button with an icon have its own label only. GTK names it by the icon, too, which screen readers say
    /// first: "GtkImage".
    private func nameIconButtons() {
        let objects = gtk_builder_get_objects(object.c())
        defer { g_slist_free(objects) }
        for node in sequence(first: objects, next: { $0?.pointee.next }) {
            guard let pointer = node?.pointee.data else { break }
            let widget = Widget(sharing: pointer)
            guard widget.isA(Button.type), gtk_button_get_icon_name(widget.c()) != nil else { continue }
            gtk_accessible_reset_relation(OpaquePointer(pointer), GTK_ACCESSIBLE_RELATION_LABELLED_BY)
        }
    }

    /// For a label of several lines. A code that is broken shows no hyphen that it does not have.
    ///
    /// Without a smallest width, GTK breaks the text at each character to find one, which takes long, and makes the
    /// window as high as that text.
    package static let wraps = """
        <property name="wrap">1</property><property name="wrap-mode">word-char</property>
        <property name="width-chars">10</property>
        <attributes><attribute name="insert-hyphens" value="false"/></attributes>
        """

    /// For a label or a button in a row of which the row's name says enough. Newer versions of Orca say them after it,
    /// unless a label is a paragraph, a role that GTK has since 4.14, and a button none.
    package static let saidByRow =
        gtk_get_minor_version() < 14
        ? (label: "", button: "")
        : (label: role("paragraph"), button: role("presentation"))

    private static func role(_ name: String) -> String { "<property name=\"accessible-role\">\(name)</property>" }

    /// The object with this id.
    package func get<Wanted: Object>(_ id: String, as wanted: Wanted.Type = Wanted.self) -> Wanted {
        guard let found = gtk_builder_get_object(object.c(), id) else { preconditionFailure("no object \(id)") }
        let instance = UnsafeMutableRawPointer(found).assumingMemoryBound(to: GTypeInstance.self)
        precondition(g_type_check_instance_is_a(instance, Wanted.type) != 0, "\(id) is no \(Wanted.self)")
        return Wanted(sharing: UnsafeMutableRawPointer(found))
    }
}

/// The part of a description of GtkBuilder for a child of a `GtkGrid`.
package enum Grid {
    /// Puts the child into a column of the only row.
    package static func column(_ number: Int) -> String {
        "<layout><property name=\"column\">\(number)</property><property name=\"row\">0</property></layout>"
    }
}
