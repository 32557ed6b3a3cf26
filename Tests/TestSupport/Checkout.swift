package import FoundationEssentials

/// The files of the repository that the tests were built from.
package enum Checkout {
    /// Its top directory.
    package static let root = (0..<3).reduce(URL(filePath: #filePath)) { url, _ in url.deletingLastPathComponent() }

    /// The Python that has the packages of `Tests/requirements.txt`: that of the environment that `packaging/test`
    /// makes, or the one that `FEEDBELL_TEST_PYTHON` names.
    package static var python: String {
        get throws {
            if let path = ProcessInfo.processInfo.environment["FEEDBELL_TEST_PYTHON"] { return path }
            let local = root.appending(path: ".venv/bin/python").path
            guard FileManager.default.isExecutableFile(atPath: local) else { throw NoPython() }
            return local
        }
    }

    private struct NoPython: Error, CustomStringConvertible {
        var description: String {
            "No Python with the packages of Tests/requirements.txt: run packaging/test, which makes one, "
                + "or set FEEDBELL_TEST_PYTHON."
        }
    }
}
