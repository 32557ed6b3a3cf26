import Agent

/// A configuration file.
func checkConfiguration(_ input: [UInt8]) throws(Fault) {
    guard let text = String(validating: input, as: UTF8.self) else { return }
    do {
        _ = try Configuration(toml: text, file: "config.toml", services: Services.all)
    } catch {
        let lines = text.utf8.count { $0 == UInt8(ascii: "\n") } + 1
        let line = error.line ?? 0
        try demand((1...lines).contains(line), "line \(line) of \(lines): \(error.problem)")
        try demand(error.problem.hasSuffix("."), "no sentence: \(error.problem)")
    }
}
