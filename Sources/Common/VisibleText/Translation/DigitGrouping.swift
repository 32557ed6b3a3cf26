import CLinux
import Glibc

/// How a locale separates the digits of a large number: "12,345", "12.345", "1,23,456".
struct DigitGrouping: Equatable {
    /// Between two groups; empty: the number is not grouped.
    var separator: String
    /// The lengths of the groups from the right. The last one repeats; one that is not positive ends the grouping.
    var sizes: [Int]

    init(separator: String, sizes: [Int]) {
        (self.separator, self.sizes) = (separator, sizes)
    }

    /// As `LC_NUMERIC` of a locale says (localeconv(3)).
    init(_ locale: locale_t) {
        let separator = feedbell_thousands_separator(locale).flatMap { String(validatingCString: $0) }
        let grouping = feedbell_digit_grouping(locale).map {
            String(cString: $0).utf8.map { Int(Int8(bitPattern: $0)) }
        }
        // CHAR_MAX in a grouping ends it.
        self.init(separator: separator ?? "", sizes: (grouping ?? []).map { $0 == Int(Int8.max) ? 0 : $0 })
    }

    func format(_ number: Int) -> String {
        var digits = Array(String(number.magnitude))[...]
        var groups: [String] = []
        for index in 0... {
            let size = separator.isEmpty || sizes.isEmpty ? 0 : sizes[min(index, sizes.count - 1)]
            guard size > 0, digits.count > size else { break }
            groups.append(String(digits.suffix(size)))
            digits = digits.dropLast(size)
        }
        groups.append(String(digits))
        return (number < 0 ? "-" : "") + groups.reversed().joined(separator: separator)
    }
}
