import AgentInterface
import SeededRandom
import TestSupport
import Testing

@testable import feedbell

/// Keys from the bytes of a terminal.
@Suite struct TerminalKeyTests {
    @Test(
        "Each key is decoded",
        arguments: [
            ("a", .character("a")), (" ", .character(" ")), ("ü", .character("ü")), ("日", .character("日")),
            ("😀", .character("😀")), ("\r", .enter), ("\n", .enter), ("\t", .tab), ("\u{7F}", .backspace),
            ("\u{03}", .control("c")), ("\u{1A}", .control("z")), ("\u{1B}[A", .up), ("\u{1B}OA", .up),
            ("\u{1B}[B", .down), ("\u{1B}[C", .right), ("\u{1B}[D", .left), ("\u{1B}[1;5D", .left),
            ("\u{1B}[H", .home), ("\u{1B}[1~", .home), ("\u{1B}[F", .end), ("\u{1B}[4~", .end), ("\u{1B}[3~", .delete),
            ("\u{1B}[5~", .pageUp), ("\u{1B}[6~", .pageDown), ("\u{1B}[Z", .backTab), ("\u{1B}[15~", .function(5)),
        ] as [(String, TerminalKey)]
    )
    func keys(_ text: String, _ key: TerminalKey) {
        var decoder = TerminalKeyDecoder()
        #expect(decoder.keys(text.utf8) == [key] && !decoder.isPending)
        // In two parts, and between others.
        for cut in 0...text.utf8.count {
            var decoder = TerminalKeyDecoder()
            let keys = decoder.keys("x".utf8) + decoder.keys(text.utf8.prefix(cut))
            #expect(
                keys + decoder.keys(text.utf8.dropFirst(cut)) + decoder.keys("y".utf8) == [
                    .character("x"), key, .character("y"),
                ]
            )
        }
    }

    @Test("An escape character is a key if nothing follows it") func escape() {
        var decoder = TerminalKeyDecoder()
        #expect(decoder.keys([0x1B]) == [] && decoder.isPending)
        #expect(decoder.finish() == [.escape] && !decoder.isPending)
        #expect(decoder.keys("\u{1B}[".utf8) == [] && decoder.finish() == [])
        #expect(decoder.keys("\u{1B}\u{1B}[A".utf8) == [.escape, .up])
    }

    @Test("A character with Alt is no key", arguments: ["a", "A", "r", " ", "ü", "日", "😀"])
    func alt(character: String) {
        for cut in 0...character.utf8.count {
            var decoder = TerminalKeyDecoder()
            let bytes = [0x1B] + Array(character.utf8)
            #expect(decoder.keys(bytes[...cut]) == [] && decoder.keys(bytes[(cut + 1)...]) == [])
            #expect(!decoder.isPending && decoder.keys("x".utf8) == [.character("x")])
        }
        var decoder = TerminalKeyDecoder()
        #expect(decoder.keys("\u{1B}\u{3}".utf8) == [.control("c")], "it always ends the program")
    }

    @Test("Unknown sequences and invalid bytes are ignored") func invalid() {
        var decoder = TerminalKeyDecoder()
        #expect(decoder.keys("\u{1B}[202~\u{1B}[201~\u{1B}[99;1Xa".utf8) == [.character("a")])
        #expect(decoder.keys([0x80, 0xC0, 0xFF, 0xC3, 0x61, 0xE6, 0x97]) == [.character("a")])
        #expect(decoder.keys([0x61]) == [.character("a")])
        #expect(decoder.keys([0x1B, 0x5B] + Array(repeating: 0x30, count: 1000)) == [] && !decoder.isPending)
    }

    @Test(
        "What is pasted is a text and no key, however it arrives",
        arguments: ["", "rare", "d\rd\rq", "two\r\nlines\t日本\u{1B}[Ax\u{3}", "\u{1B}[20", "\u{1B}[200~"]
    )
    func paste(text: String) {
        let sent = Array("a\u{1B}[200~\(text)\u{1B}[201~b".utf8)
        let expected: [TerminalInput] = [.key(.character("a")), .paste(text), .key(.character("b"))]
        for cut in 0...sent.count {
            var decoder = TerminalKeyDecoder()
            let first = decoder.decode(sent[..<cut])
            // A pause in the middle of a pasted text is no end of it.
            let pause = (8..<(sent.count - 1)).contains(cut) ? decoder.finish() : []
            #expect(pause.isEmpty)
            #expect(first + decoder.decode(sent[cut...]) == expected, "after \(cut) bytes")
            #expect(!decoder.isPending)
        }
        var decoder = TerminalKeyDecoder()
        #expect(sent.flatMap { decoder.decode([$0]) } == expected)
    }

    @Test("Of a long pasted text the beginning is kept") func longPaste() {
        var decoder = TerminalKeyDecoder()
        #expect(decoder.decode("\u{1B}[200~".utf8).isEmpty)
        for _ in 0..<100 { #expect(decoder.decode(Array(repeating: 0x61, count: 1000)).isEmpty) }
        #expect(decoder.decode("\u{1B}[201~".utf8) == [.paste(String(repeating: "a", count: 4096))])
    }

    @Test("Random bytes never trap, and few are kept", arguments: seeds()) func random(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var decoder = TerminalKeyDecoder()
        for _ in 0..<200 {
            let bytes = (0..<Int.random(in: 1...20, using: &random)).map { _ in
                Bool.random(using: &random) ? 0x1B : UInt8.random(in: 0...255, using: &random)
            }
            _ = decoder.keys(bytes)
        }
        _ = decoder.decode("\u{1B}[201~".utf8)
        _ = decoder.finish()
        #expect(decoder.keys("a".utf8) == [.character("a")])
    }

    private static func seeds() -> [UInt64] { (0..<20).map { _ in UInt64.random(in: 0 ... .max) } }

    @Test(
        "The mouse is decoded as SGR reports it",
        arguments: [
            ("\u{1B}[<0;5;3M", .press(column: 4, row: 2)), ("\u{1B}[<16;1;1M", .press(column: 0, row: 0)),
            ("\u{1B}[<64;5;3M", .wheelUp), ("\u{1B}[<65;5;3M", .wheelDown), ("\u{1B}[<0;5;3m", nil),
            ("\u{1B}[<2;5;3M", nil), ("\u{1B}[<0;0;3M", nil), ("\u{1B}[<0;5M", nil),
            ("\u{1B}[<0;99999999999999999999;3M", nil),
        ] as [(String, TerminalMouse?)]
    )
    func mouse(_ text: String, _ mouse: TerminalMouse?) {
        var decoder = TerminalKeyDecoder()
        #expect(decoder.decode(text.utf8) == (mouse.map { [.mouse($0)] } ?? []) && !decoder.isPending)
    }
}

extension TerminalKeyDecoder {
    /// The keys among what is decoded.
    fileprivate mutating func keys(_ bytes: some Sequence<UInt8>) -> [TerminalKey] {
        decode(bytes).compactMap { if case .key(let key) = $0 { key } else { nil } }
    }
}
