import CLinux
import Glibc
import VisibleText

/// The terminal of standard output.
struct Terminal: Equatable {
    enum Style: String {
        case bold = "1"
        case dim = "2"
        case red = "31"
        case green = "32"
        case yellow = "33"
        case cyan = "36"
    }

    var columns: Int
    var hasColors: Bool

    /// nil: standard output is not a terminal.
    static var standardOutput: Terminal? { of(STDOUT_FILENO) }

    private static func of(_ descriptor: Int32) -> Terminal? {
        guard isatty(descriptor) == 1 else { return nil }
        var size = winsize()
        let isKnown = ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
        return Terminal(columns: isKnown ? Int(size.ws_col) : 80, hasColors: wantsColors)
    }

    /// The text of an error message: on a terminal, its lines break between words.
    static func wrappedForErrors(_ text: String) -> String {
        of(STDERR_FILENO).map { text.wrapped(toColumns: $0.columns, hanging: 2) } ?? text
    }

    /// See https://no-color.org.
    private static var wantsColors: Bool {
        func variable(_ name: String) -> String { getenv(name).map { String(cString: $0) } ?? "" }
        return variable("NO_COLOR").isEmpty && variable("TERM") != "dumb"
    }

    /// The text in this style, if the terminal has colors.
    func text(_ text: String, _ style: Style) -> String {
        hasColors && !text.isEmpty ? "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m" : text
    }
}
