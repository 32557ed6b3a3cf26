import CAdwaita

/// A GObject of GTK. It owns one reference, which is released with it: references are counted here only.
///
/// GTK's parents own their children, so a widget lives as long as it is shown, whatever Swift keeps.
package class Object {
    /// All of GTK is used on the main thread.
    nonisolated(unsafe) let pointer: UnsafeMutableRawPointer

    /// - Parameter new: An object without an owner: a floating reference, or a full one that this takes.
    init(owning new: UnsafeMutableRawPointer) {
        if g_object_is_floating(new) != 0 { g_object_ref_sink(new) }
        pointer = new
    }

    /// - Parameter borrowed: An object that another one owns, too.
    required init(sharing borrowed: UnsafeMutableRawPointer) {
        pointer = g_object_ref(borrowed)
    }

    deinit { g_object_unref(pointer) }

    /// The pointer as C wants it: the type is checked by GTK.
    func c<Struct>() -> UnsafeMutablePointer<Struct> { pointer.assumingMemoryBound(to: Struct.self) }

    /// The pointer of a type that C does not declare.
    func c() -> OpaquePointer { OpaquePointer(pointer) }

    /// The type that GObject knows, to check what a builder returns.
    class var type: GType { g_object_get_type() }

    /// Whether both are the same object.
    package func isSame(as other: Object) -> Bool { pointer == other.pointer }

    // MARK: Properties

    func set(_ property: String, _ value: Bool) {
        var content = GValue()
        g_value_init(&content, GType(5 << 2))  // G_TYPE_BOOLEAN
        g_value_set_boolean(&content, value ? 1 : 0)
        g_object_set_property(c(), property, &content)
        g_value_unset(&content)
    }

    /// Whether this version of the library has a property.
    func has(_ property: String) -> Bool {
        let type = pointer.assumingMemoryBound(to: GTypeInstance.self).pointee.g_class
        let properties = UnsafeMutableRawPointer(type)?.assumingMemoryBound(to: GObjectClass.self)
        return g_object_class_find_property(properties, property) != nil
    }

    /// Sets a property that older versions of the library do not have.
    func setIfKnown(_ property: String, _ value: Bool) { if has(property) { set(property, value) } }

    func set(_ property: String, _ value: String) {
        var content = GValue()
        g_value_init(&content, GType(16 << 2))  // G_TYPE_STRING
        g_value_set_string(&content, value)
        g_object_set_property(c(), property, &content)
        g_value_unset(&content)
    }

    func set(_ property: String, _ value: Int32) {
        var content = GValue()
        g_value_init(&content, GType(6 << 2))  // G_TYPE_INT
        g_value_set_int(&content, value)
        g_object_set_property(c(), property, &content)
        g_value_unset(&content)
    }
}
