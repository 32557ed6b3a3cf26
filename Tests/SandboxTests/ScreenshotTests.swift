import Foundation
import TestSupport
import Testing

/// The pictures that `packaging/checks/screenshots` makes.
@Suite struct ScreenshotTests {
    private static let directory = Checkout.root.appending(path: "packaging/screenshots")

    private struct Size: Equatable { var (width, height): (Int, Int) }

    private static func read(_ path: String) throws -> String {
        try String(contentsOf: Checkout.root.appending(path: path), encoding: .utf8)
    }

    /// The size in the header of a PNG file.
    private static func size(of name: String) throws -> Size {
        let bytes = try Data(contentsOf: directory.appending(path: name))
        func number(at offset: Int) -> Int { bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) } }
        return Size(width: number(at: 16), height: number(at: 20))
    }

    /// The pictures that software centres show, and the sizes that they are told.
    private static func announced() throws -> [(name: String, size: Size)] {
        let metainfo = try read("packaging/installed/desktop/org.feedbell.Agent.metainfo.xml.in")
        let image = /<image type="source" width="(\d+)" height="(\d+)">@homepage@([^<]+)<\/image>/
        return try metainfo.matches(of: image).map { match in
            (
                String(match.output.3),
                Size(width: try #require(Int(match.output.1)), height: try #require(Int(match.output.2)))
            )
        }
    }

    /// The pictures of the README; the width is nil in a `<source>`, which has that of its `<img>`.
    private static func shown() throws -> [(name: String, width: Int?)] {
        let readme = try read("README.md")
        return readme.matches(of: /(?:src|srcset)="packaging\/screenshots\/([^"]+)"(?: width="(\d+)")?/).map { match in
            (String(match.output.1), match.output.2.flatMap { Int($0) })
        }
    }

    @Test("Software centres are told the sizes that the pictures have: 16:9, at least 1,000 pixels wide")
    func softwareCentres() throws {
        let announced = try Self.announced()
        #expect(announced.count >= 3)
        for (name, size) in announced {
            #expect(try Self.size(of: name) == size, "\(name)")
            #expect(size.width >= 1_000 && size.width * 9 == size.height * 16, "\(name)")
        }
    }

    @Test("The README shows pictures with at least two pixels for each of its own, light and dark ones of one size")
    func readme() throws {
        let shown = try Self.shown()
        #expect(shown.contains { $0.name == "window-light.png" } && shown.contains { $0.name == "window-dark.png" })
        #expect(try Self.size(of: "window-light.png") == Self.size(of: "window-dark.png"))
        for (name, width) in shown {
            #expect(try Self.size(of: name).width >= 2 * (width ?? 0), "\(name)")
        }
    }

    @Test("Each picture is shown somewhere and has at most 300 kB") func files() throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: Self.directory.path)
        let used = try Set(Self.announced().map(\.name) + Self.shown().map(\.name))
        #expect(Set(files) == used)
        for file in files {
            #expect(try Data(contentsOf: Self.directory.appending(path: file)).count <= 300_000, "\(file)")
        }
    }
}
