/// An immutable value on the heap, which its copies share.
///
/// For large values in a dictionary: its free places are as large as the elements.
package final class Shared<Value: Sendable>: Sendable {
    package let value: Value

    @inlinable package init(_ value: Value) { self.value = value }
}

extension Shared: Equatable where Value: Equatable {
    @inlinable package static func == (left: Shared, right: Shared) -> Bool {
        left === right || left.value == right.value
    }
}
