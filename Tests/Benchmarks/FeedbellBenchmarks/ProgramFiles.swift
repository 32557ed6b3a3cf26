import Glibc

/// The stripped programs as files.
struct ProgramFiles {
    let programs: String
    let directory: String

    /// Libraries of the system that a program must not need.
    private static let unwanted = ["libicu", "libcurl", "libFoundation", "lib_Foundation", "libswift"]

    func measure(into table: Table) throws {
        for (program, budget) in [("feedbell-agent", Budget.agentSize), ("feedbell", .commandSize)] {
            let path = "\(programs)/\(program)"
            var file = stat()
            guard stat(path, &file) == 0 else { throw Child.Failure(description: "\(path) is missing") }
            let size = Figure(Double(file.st_size) / 1_000_000, .megabytes)
            try table.add("`\(program)`, stripped, static: size", size, budget)
            let libraries = try Child.output(of: "ldd", [path], log: "\(directory)/ldd.log")
            guard libraries.contains("libc.so") else {
                throw Child.Failure(description: "ldd lists no libraries of \(path): \(libraries)")
            }
            let found = libraries.split(whereSeparator: \.isNewline)
                .compactMap { $0.split(whereSeparator: \.isWhitespace).first.map(String.init) }
                .filter { library in Self.unwanted.contains { library.hasPrefix($0) } }
            table.add("`\(program)`: links of ICU, libcurl, Foundation or Swift libraries", none: found, .links)
        }
    }
}
