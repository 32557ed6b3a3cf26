import Testing
import Window

@Suite struct WindowSizeTests {
    @Test(
        "A size is read as it was written, and nothing else is",
        arguments: [
            ("620 760\n", WindowSize(width: 620, height: 760, isMaximized: false)),
            ("620 760 maximized\n", WindowSize(width: 620, height: 760, isMaximized: true)),
            ("", nil), ("620", nil), ("620 760 x", nil), ("620 -1", nil), ("0 760", nil), ("620 99999999", nil),
            ("a b", nil), ("1 2 3 4", nil), ("99999999999999999999 1", nil),
        ] as [(String, WindowSize?)]
    ) func text(_ text: String, size: WindowSize?) {
        #expect(WindowSize(text: text) == size)
        if let size { #expect(size.text == text) }
    }
}
