import FoundationEssentials
import TestSupport

/// The blocks of code in a document of the repository.
enum DocumentedCode {
    /// Those of one language, in order, without their last line feeds.
    static func blocks(_ language: String, of path: String) throws -> [String] {
        let file = Checkout.root.appending(path: path)
        var blocks: [String] = []
        var block: [Substring]?
        for line in String(decoding: try Data(contentsOf: file), as: UTF8.self).split(
            separator: "\n",
            omittingEmptySubsequences: false
        ) {
            if let lines = block, line == "```" {
                blocks.append(lines.joined(separator: "\n"))
                block = nil
            } else if block != nil {
                block?.append(line)
            } else if line == "```\(language)" {
                block = []
            }
        }
        return blocks
    }
}
