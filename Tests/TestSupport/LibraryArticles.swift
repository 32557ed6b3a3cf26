import Foundation

/// The articles of a library, `Sources/Clients/NAME/NAME.docc`, and the code of its tests that compiles what they show.
package struct LibraryArticles {
    private let catalog: URL
    private let snippets: URL

    /// - Parameter tests: A file beside `Snippets.swift`.
    package init(of library: String, tests: String = #filePath) {
        catalog = Checkout.root.appending(path: "Sources/Clients/\(library)/\(library).docc")
        snippets = URL(filePath: tests).deletingLastPathComponent().appending(path: "Snippets.swift")
    }

    /// A block of Swift in an article.
    package struct CodeBlock {
        package var article: String
        /// Without indentation and empty lines.
        package var lines: [String]
    }

    /// The code of all articles.
    package var code: [CodeBlock] {
        get throws {
            try FileManager.default.contentsOfDirectory(atPath: catalog.path).flatMap { article in
                try text(of: article).components(separatedBy: "```swift\n").dropFirst().map { block in
                    CodeBlock(article: article, lines: Self.lines(block.components(separatedBy: "\n```")[0]))
                }
            }
        }
    }

    /// The blocks that `Snippets.swift` does not contain.
    package var uncompiled: [CodeBlock] {
        get throws {
            let compiled = Self.lines(try Self.text(of: snippets))
            return try code.filter { compiled.firstRange(of: $0.lines) == nil }
        }
    }

    /// Whether a row of a table of `article` names `name` as code, alone or with arguments.
    package func hasRow(naming name: String, in article: String) throws -> Bool {
        try text(of: article).split(separator: "\n").contains { line in
            line.hasPrefix("|") && line.split(separator: "`").contains { $0 == name || $0.hasPrefix(name + "(") }
        }
    }

    package func text(of article: String) throws -> String { try Self.text(of: catalog.appending(path: article)) }

    private static func text(of file: URL) throws -> String {
        String(decoding: try Data(contentsOf: file), as: UTF8.self)
    }

    private static func lines(_ text: some StringProtocol) -> [String] {
        text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
    }

    /// The number of lines of the example `Tests/Examples/NAME/NAME.swift`.
    package static func lineCount(ofExample name: String) throws -> Int {
        try text(of: Checkout.root.appending(path: "Tests/Examples/\(name)/\(name).swift"))
            .split(separator: "\n", omittingEmptySubsequences: false).count
    }
}
