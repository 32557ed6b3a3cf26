import Glibc
import VisibleText

/// Removes an account from the configuration, with its secret. Only what a program wrote is removed: the account's
/// file, and a table in the user's file that is as an earlier version of `accounts add` wrote it.
package struct AccountRemoval: Sendable {
    private let account: ConfiguredAccount
    /// The paths of files to remove.
    private let paths: [String]
    /// The user's file without the account; nil: it does not have it.
    private let personal: ConfigurationLayers.File?

    /// Throws if the account cannot be removed.
    package init(_ account: ConfiguredAccount) throws(AccountChangeFailure) {
        self.account = account
        paths = account.origins.filter { $0.kind == .account }.map(\.path)
        try account.refusePreset("remove")
        guard var file = account.origins.first(where: { $0.kind == .personal }) else {
            personal = nil
            return
        }
        guard let text = Self.text(of: file, without: account.name, services: account.file.services) else {
            let lines = Self.lines(of: account.name, in: file)
            throw .impossible(
                "Programs do not change your file \(file.path). To remove \"\(account.name)\", delete "
                    + (lines.count == 1
                        ? "line \(lines.lowerBound)" : "lines \(lines.lowerBound) to \(lines.upperBound)")
                    + " there."
            )
        }
        file.text = text
        personal = file
    }

    /// - Parameters:
    ///   - service: The Secret Service; nil: there is none.
    ///   - keepsSecret: Whether the secret stays.
    ///   - endSignIn: Lets the running agent end the account's sign-in with the browser, which removes its secret.
    /// - Returns: Sentences for the user.
    package func run(
        service: SecretService?,
        keepsSecret: Bool,
        endSignIn: () async -> Void
    ) async throws(AccountChangeFailure) -> [String] {
        var sentences = [translated("Removed the account \"{name}\".", ["name": account.name])]
        let secrets = keepsSecret ? [] : try await account.storedSecrets(in: service)
        if !keepsSecret, account.configuration.service.token?.backend != nil { await endSignIn() }
        for secret in secrets {
            try await secret.remove(from: service)
            sentences.append(secret.removed)
        }
        account.signOutMark?.remove()
        if account.configuration.service.token != nil, keepsSecret || account.storedSecret == nil {
            sentences.append(translated("Its secret stays where it is."))
        }
        for path in paths where unlink(path) != 0 && errno != ENOENT {
            throw .unwritable("Cannot remove \(path): \(String(cString: strerror(errno))).")
        }
        guard let personal else { return sentences }
        do throws(PrivateFile.Failure) { try PrivateFile(personal.path).replace(with: personal.text) } catch {
            throw .unwritable(error.description)
        }
        return sentences
    }

    // MARK: The user's file

    /// The file without an account's table, if that is exactly as `accounts add` wrote it, at the end of a line, after
    /// an empty line.
    private static func text(
        of file: ConfigurationLayers.File,
        without name: String,
        services: ServiceList
    ) -> String? {
        guard let before = try? Configuration(toml: file.text, file: file.path, services: services),
            let account = before.accounts.first(where: { $0.name == name })
        else { return nil }
        let (text, table) = (Array(file.text.utf8), Array(account.toml.utf8))
        guard
            let start = text.indices.first(where: { index in
                (index == 0 || text[index - 1] == UInt8(ascii: "\n")) && text[index...].starts(with: table)
            })
        else { return nil }
        // The empty line before it was written with it.
        let isSeparated = start >= 2 && text[start - 2] == UInt8(ascii: "\n")
        let kept = text[..<(isSeparated ? start - 1 : start)] + text[(start + table.count)...]
        let result = String(decoding: kept, as: UTF8.self)
        var expected = before
        expected.accounts.removeAll { $0.name == name }
        guard (try? Configuration(toml: result, file: file.path, services: services)) == expected else { return nil }
        return result
    }

    /// The lines of an account's table, with those of a value of several lines.
    private static func lines(of name: String, in file: ConfigurationLayers.File) -> ClosedRange<Int> {
        guard let node = ConfiguredAccount.node(of: name, in: file) else { return 1...1 }
        let lines = file.text.split(separator: "\n", omittingEmptySubsequences: false)
        var last = max(node.line, node.lastLine)
        while last < lines.count {
            guard let first = lines[last].first(where: { !$0.isWhitespace }), first != "[", first != "#" else { break }
            last += 1
        }
        return node.line...last
    }
}

extension TOMLNode {
    /// The line of its last value.
    fileprivate var lastLine: Int {
        switch value {
        case .table(let entries): entries.values.map(\.lastLine).reduce(line, max)
        case .array(let elements): elements.map(\.lastLine).reduce(line, max)
        default: line
        }
    }
}
