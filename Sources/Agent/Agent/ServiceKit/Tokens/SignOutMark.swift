import Basics
import FoundationEssentials
import Glibc

/// The file whose existence says that the user has removed a token that Feedbell had stored, so that a missing token is
/// no error.
package struct SignOutMark: Equatable, Sendable {
    package let path: String

    /// nil: Feedbell does not remove tokens of this source.
    package init?(
        _ source: TokenSource,
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) {
        switch source {
        case .file(let file): path = "\(file).signed-out"
        case .secret(let attributes):
            guard let account = attributes["account"], source.isReplaceable(of: account) else { return nil }
            path = Self.path(account, environment)
        case .backend(let backend): path = Self.path(backend.account, environment)
        case .command, .credential: return nil
        }
    }

    private static func path(_ account: String, _ environment: [String: String]) -> String {
        "\(StateDirectory.path(environment: environment))/signed-out/\(account.fileName)"
    }

    package var exists: Bool { access(path, F_OK) == 0 }

    /// Without it a missing token is only described in another way, so a failure is no error.
    package func set() {
        let file = PrivateFile(path)
        try? file.makeDirectory()
        try? file.replace(with: "")
    }

    package func remove() { unlink(path) }
}

extension String {
    /// The text as a file name: bytes other than letters, digits, "-", "_" and "@" are written as %XX.
    package var fileName: String {
        let digits = Array("0123456789ABCDEF")
        return utf8.map { byte in
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || "-_@".utf8.contains(byte)
                ? String(Unicode.Scalar(byte)) : "%\(digits[Int(byte >> 4)])\(digits[Int(byte & 15)])"
        }.joined()
    }
}
