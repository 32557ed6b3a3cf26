package import AgentInterface
import Glibc
import VisibleText

/// Removes an account from the configuration, with its secret. Only the account's own file is removed, which a program
/// wrote.
package struct AccountRemoval: Sendable {
    private let account: ConfiguredAccount
    /// The paths of files to remove.
    private let paths: [String]

    /// Throws if the account cannot be removed.
    package init(_ account: ConfiguredAccount) throws(AgentRequest.Failure) {
        self.account = account
        paths = account.origins.filter { $0.kind == .account }.map(\.path)
        try account.refusePreset("remove")
        guard let file = account.origins.first(where: { $0.kind == .personal }) else { return }
        let lines = Self.lines(of: account.name, in: file)
        throw .invalid(
            "Programs do not change your file \(file.path). To remove \"\(account.name)\", delete "
                + (lines.count == 1
                    ? "line \(lines.lowerBound)" : "lines \(lines.lowerBound) to \(lines.upperBound)")
                + " there."
        )
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
    ) async throws(AgentRequest.Failure) -> [String] {
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
        return sentences
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
