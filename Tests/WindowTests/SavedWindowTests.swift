import Testing
import Window

@Suite struct SavedWindowTests {
    private static func window(isMaximized: Bool = false, hasHeadings: Bool = true) -> SavedWindow {
        SavedWindow(width: 620, height: 760, isMaximized: isMaximized, hasHeadings: hasHeadings)
    }

    @Test(
        "A window is read as it was written, and nothing else is",
        arguments: [
            ("620 760\n", window()), ("620 760 maximized\n", window(isMaximized: true)),
            ("620 760 without-headings\n", window(hasHeadings: false)),
            ("620 760 maximized without-headings\n", window(isMaximized: true, hasHeadings: false)),
            ("", nil), ("620", nil), ("620 760 x", nil), ("620 -1", nil), ("0 760", nil), ("620 99999999", nil),
            ("a b", nil), ("1 2 3 4", nil), ("99999999999999999999 1", nil),
        ] as [(String, SavedWindow?)]
    ) func text(_ text: String, window: SavedWindow?) {
        #expect(SavedWindow(text: text) == window)
        if let window { #expect(window.text == text) }
    }
}
