import ClientKit

/// A decoder that reads what the network sends or a user writes, with what must be true of it whatever the bytes are.
///
/// To add one: write its function in a file beside this one, name it in ``all``, and pack a few inputs into
/// `Corpus/NAME.tar.gz`.
package struct FuzzTarget: Sendable {
    /// Also the name of its archive in `Corpus`.
    package let name: String
    /// Throws a ``Fault`` when something that must be true is not. A trap is a fault, too.
    package let check: @Sendable ([UInt8]) throws(Fault) -> Void

    package static let all = [
        FuzzTarget(name: "packets", check: checkPackets),
        FuzzTarget(name: "session", check: checkSession),
        FuzzTarget(name: "rows", check: checkRows),
        FuzzTarget(name: "preferences", check: checkPreferences),
        FuzzTarget(name: "answers", check: checkAnswer),
        FuzzTarget(name: "events", check: checkEvents),
        FuzzTarget(name: "tokens", check: checkToken),
        FuzzTarget(name: "popups", check: checkPopups),
        FuzzTarget(name: "patterns", check: checkPattern),
        FuzzTarget(name: "configuration", check: checkConfiguration),
        FuzzTarget(name: "texts", check: checkRichText),
        FuzzTarget(name: "magicbell-answers", check: checkMagicBellAnswer),
        FuzzTarget(name: "magicbell-pages", check: checkMagicBellPages),
        FuzzTarget(name: "ably-frames", check: checkAblyFrame),
        FuzzTarget(name: "ably-session", check: checkAblySession),
        FuzzTarget(name: "inbox-socket", check: checkInboxSocket),
        FuzzTarget(name: "pictures", check: checkPicture),
    ]

    package static func named(_ name: String) -> FuzzTarget? { all.first { $0.name == name } }
}

/// A violated requirement, in a sentence.
package struct Fault: Error, CustomStringConvertible {
    package let description: String
}

func demand(_ condition: Bool, _ sentence: @autoclosure () -> String) throws(Fault) {
    guard condition else { throw Fault(description: sentence()) }
}

/// One line of a scripted input: a letter for the event, then its arguments.
struct Line {
    var letter: UInt8
    var rest: ArraySlice<UInt8>

    /// The rest as text; bytes that are not UTF-8 become U+FFFD, as they do where frames are read.
    var text: String { String(decoding: rest, as: UTF8.self) }

    /// The lines that are not empty, 2,000 at most.
    static func all(in input: [UInt8]) -> [Line] {
        input.split(separator: UInt8(ascii: "\n")).prefix(2_000).map {
            Line(letter: $0[$0.startIndex], rest: $0.dropFirst())
        }
    }
}
