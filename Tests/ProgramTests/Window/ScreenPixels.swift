import AgentTestSupport
import DBus
import FoundationEssentials
import Glibc
import Subprocess
import TestSupport
import Testing

/// The pixels of a part of the screen.
struct ScreenPixels {
    private let width: Int
    /// Of each pixel, to the background (WCAG 2.1).
    private let contrasts: [Double]

    /// - Parameter bytes: Red, green and blue of each pixel.
    fileprivate init(_ bytes: [UInt8], width: Int) {
        self.width = width
        let luminances = stride(from: 0, to: bytes.count - 2, by: 3).map { Self.luminance(bytes[$0..<($0 + 3)]) }
        // The most frequent one is that of the background.
        let counts = luminances.reduce(into: [:]) { $0[$1, default: 0] += 1 }
        let background = counts.max { $0.value < $1.value }?.key ?? 0
        contrasts = luminances.map { (max($0, background) + 0.05) / (min($0, background) + 0.05) }
    }

    /// The relative luminance (WCAG 2.1).
    private static func luminance(_ color: ArraySlice<UInt8>) -> Double {
        let linear = color.map { value -> Double in
            let part = Double(value) / 255
            return part <= 0.03928 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4)
        }
        return zip(linear, [0.2126, 0.7152, 0.0722]).reduce(0) { $0 + $1.0 * $1.1 }
    }

    /// The contrast of the text, or of the line below a link, to the background (WCAG 2.1).
    var contrast: Double { contrasts.max() ?? 1 }

    private static func isInked(_ contrast: Double) -> Bool { contrast > 2 }

    /// The edges of what is drawn, from the left and from the top; nil: nothing is.
    var ink: (left: Int, right: Int, top: Int, bottom: Int)? {
        let places = contrasts.indices.filter { Self.isInked(contrasts[$0]) }
        guard let first = places.first, let last = places.last else { return nil }
        let columns = places.map { $0 % width }
        return (columns.min() ?? 0, columns.max() ?? 0, first / width, last / width)
    }

    /// The length of the longest horizontal line that is drawn.
    var longestLine: Int {
        var (longest, length) = (0, 0)
        for (place, contrast) in contrasts.enumerated() {
            length = Self.isInked(contrast) ? (place % width > 0 ? length + 1 : 1) : 0
            longest = max(longest, length)
        }
        return longest
    }
}

extension WindowScreen {
    /// Clicks in the middle of what is drawn of a widget of a window at the edge of the screen.
    func clickInk(of element: ScreenElement) async throws {
        let (x, y, _, _) = try await place(of: element).elements
        let ink = try #require(try await pixels(of: element).ink)
        let point = ["\(Int(x) + (ink.left + ink.right) / 2)", "\(Int(y) + (ink.top + ink.bottom) / 2)"]
        let outcome = try await Programs.run(
            "xdotool",
            ["mousemove"] + point + ["click", "1"],
            environment: ["DISPLAY": display]
        )
        try #require(outcome.status == .exited(0), "\(outcome.errors)")
    }

    /// The pixels of a widget of a window at the edge of the screen.
    func pixels(of element: ScreenElement) async throws -> ScreenPixels {
        let (x, y, width, height) = try await place(of: element).elements
        return try await TemporaryFile.with("") { file in
            let path = file.directory + "/pixels"
            let area = ["-crop", "\(width)x\(height)+\(x)+\(y)", "+repage", "-depth", "8"]
            let arguments = ["-window", "root"] + area + ["rgb:" + path]
            let outcome = try await Programs.run("import", arguments, environment: ["DISPLAY": display])
            try #require(outcome.status == .exited(0), "\(outcome.errors)")
            return ScreenPixels(Array(try Data(contentsOf: URL(filePath: path))), width: Int(width))
        }
    }
}
