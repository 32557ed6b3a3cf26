package import DBus

extension PropertyValues {
    /// The properties of this interface among those of an object.
    package init(in object: [String: [String: Value]]) { self.init(object[I.name.text] ?? [:]) }

    /// The value of a property; nil if there is none of its type.
    package subscript<Content>(property: InterfaceProperty<I, Content>) -> Content? { try? value(property) }
}
