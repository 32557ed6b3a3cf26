import Glibc

/// A text that is only equal to a text of the same bytes, such as an address. Swift's `==` of texts also holds for
/// others that Unicode calls canonically equivalent: `é` as one scalar, and as two.
package struct ExactText: Hashable, Sendable {
    package let text: String

    package init(_ text: String) { self.text = text }

    package static func == (left: ExactText, right: ExactText) -> Bool { left.text.hasSameBytes(as: right.text) }

    package func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}

extension String {
    /// Whether two texts have the same bytes in UTF-8.
    package func hasSameBytes(as other: String) -> Bool {
        var (own, other) = (self, other)
        // Byte for byte by the iterators of `utf8`, it took 4 % of the instructions for a notification.
        return own.withUTF8 { own in
            other.withUTF8 { other in
                own.count == other.count
                    && (own.isEmpty || memcmp(own.baseAddress!, other.baseAddress!, own.count) == 0)
            }
        }
    }
}
