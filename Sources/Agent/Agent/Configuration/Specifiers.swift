import Glibc

/// The values of the specifiers in the texts of presets, as in systemd's units: `%u` is the login name, `%h` the home
/// directory, `%%` a percent sign.
package struct Specifiers: Equatable, Sendable {
    /// nil: unknown.
    package var user: String?
    /// nil: unknown.
    package var home: String?

    package init(user: String? = nil, home: String? = nil) {
        self.user = user
        self.home = home
    }

    /// Those of this process's user. Looking up the login name may block.
    ///
    /// - Parameter environment: Names the home directory.
    package init(environment: [String: String]) {
        home = environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        var entry = passwd()
        var result: UnsafeMutablePointer<passwd>?
        var buffer = [CChar](repeating: 0, count: 16 << 10)
        let code = getpwuid_r(geteuid(), &entry, &buffer, buffer.count, &result)
        user = code == 0 && result != nil ? entry.pw_name.map { String(cString: $0) } : environment["LOGNAME"]
    }

    /// Replaces the specifiers in all texts of a value.
    func expand(_ node: TOMLNode) throws(ConfigurationError) -> TOMLNode {
        var node = node
        switch node.value {
        case .string(let text):
            do throws(Problem) { node.value = .string(try expand(text)) } catch {
                throw ConfigurationError(file: node.file, line: node.line, problem: error.sentence)
            }
        case .array(let elements):
            node.value = .array(try elements.map { (element) throws(ConfigurationError) in try expand(element) })
        case .table(let entries):
            var expanded = entries
            for (name, entry) in entries { expanded[name] = try expand(entry) }
            node.value = .table(expanded)
        case .integer, .float, .boolean, .date, .moment: break
        }
        return node
    }

    private struct Problem: Error {
        var sentence: String
    }

    private func expand(_ text: String) throws(Problem) -> String {
        guard text.utf8.contains(UInt8(ascii: "%")) else { return text }
        var result = ""
        var rest = text.unicodeScalars[...]
        while let scalar = rest.popFirst() {
            guard scalar == "%" else {
                result.unicodeScalars.append(scalar)
                continue
            }
            switch rest.popFirst() {
            case "%": result += "%"
            case "u":
                guard let user else { throw Problem(sentence: "The login name for %u is unknown.") }
                result += user
            case "h":
                guard let home else { throw Problem(sentence: "The home directory for %h is unknown. Set HOME.") }
                result += home
            default:
                let sentence = "A text of a preset has a % without a meaning. Use %u, %h, or %% for a percent sign."
                throw Problem(sentence: sentence)
            }
        }
        return result
    }
}
