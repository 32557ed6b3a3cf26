package import AgentInterface
import Basics
import ClientKit
import VisibleText

/// A proposal for a new account, from a company's page or file: public values, which fill a form and do nothing else.
///
/// With a `token_url` and an `issuer`, the author of the link decides who gets access tokens of that server's users, so
/// the two hosts must have one owner.
package struct AccountLink: Equatable, Sendable {
    /// Why a link or a file cannot be used, in a sentence.
    package struct Problem: Error, Equatable, Sendable {
        package var sentence: String

        package init(_ sentence: String) { self.sentence = sentence }
    }

    /// In bytes.
    package static let maximumSize = 4 << 10
    private static let scheme = "feedbell:"

    package var details: AccountDetails

    /// Whether a text is a link, and not the place of a file.
    package static func isLink(_ text: String) -> Bool { text.lowercased().hasPrefix(scheme) }

    /// Reads a link, `feedbell:add?KEY=VALUE&…`, whose keys and values are written as in a form (URL Standard, §5.1).
    /// Slashes around its verb mean nothing: programs that make links of such texts add them.
    package init(
        link: String,
        services: ServiceList,
        ownership: (String, String) -> HostOwnership
    ) throws(Problem) {
        try Self.checkSize(link)
        let parts = link.dropFirst(Self.scheme.count).split(
            separator: "?",
            maxSplits: 1,
            omittingEmptySubsequences: false
        )
        guard Self.isLink(link), parts.count == 2, parts[0].lowercased().split(separator: "/") == ["add"] else {
            throw .malformed
        }
        var values: [String: String] = [:]
        for pair in parts[1].prefix(while: { $0 != "#" }).split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                .map { $0.replacing("+", with: " ").percentDecoded }
            guard parts.count == 2, let key = parts[0], let value = parts[1] else { throw .malformed }
            guard values.updateValue(value, forKey: key) == nil else {
                throw Problem(translated("The link has \"{key}\" twice.", ["key": key]))
            }
        }
        try self.init(values, services, ownership)
    }

    /// Reads a file, which has the keys of a link in TOML.
    package init(
        file text: String,
        services: ServiceList,
        ownership: (String, String) -> HostOwnership
    ) throws(Problem) {
        try Self.checkSize(text)
        let root: TOMLNode
        do { root = try TOMLNode.parse(text, file: "the file") } catch { throw Problem("\(error.problem)") }
        var values: [String: String] = [:]
        for (key, node) in root.entries ?? [:] {
            if case .array(let scopes) = node.value, key == "scopes" {
                values[key] = scopes.compactMap(\.text).joined(separator: " ")
            } else if let text = node.text {
                values[key] = text
            } else {
                throw .unknown(key)
            }
        }
        try self.init(values, services, ownership)
    }

    /// The text of a file in UTF-8, or in UTF-16 with a byte order mark, as some editors write it.
    package static func text(of bytes: [UInt8]) -> String {
        let isLittle = bytes.starts(with: [0xFF, 0xFE])
        guard isLittle || bytes.starts(with: [0xFE, 0xFF]) else {
            return String(
                decoding: bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...],
                as: UTF8.self
            )
        }
        let units = stride(from: 2, to: bytes.count - 1, by: 2).map { index in
            let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
            return isLittle ? second << 8 | first : first << 8 | second
        }
        return String(decoding: units, as: UTF16.self)
    }

    private init(
        _ values: [String: String],
        _ services: ServiceList,
        _ ownership: (String, String) -> HostOwnership
    ) throws(Problem) {
        guard let provider = values["provider"], let service = services.named(provider)?.description else {
            throw Problem(translated("It names no service that Feedbell knows."))
        }
        let options = service.linkOptions + service.signInOptions.map(\.name)
        details = AccountDetails(provider: service.name, values: [:], hasTokenAlone: false)
        for (key, value) in values.sorted(by: { $0.key < $1.key }) {
            guard value.isLine else {
                throw Problem(translated("\"{key}\" has characters that cannot be used.", ["key": key]))
            }
            if key == "provider" { continue }
            if key == "name" {
                guard value.utf8.count <= Self.maximumNameLength else {
                    throw Problem(translated("The name of the account is too long."))
                }
                details.name = value
            } else {
                let option = options.first { $0.replacing("-", with: "_") == key }
                guard let option else { throw .unknown(key) }
                details.values[option] = value
            }
        }
        guard service.hasSignIn(details.values) else { return }
        try checkSignIn(ownership)
        // Then the token is all that its backend gives.
        details.hasTokenAlone = service.tokenLogin?.replaced.allSatisfy { details.values[$0] == nil } ?? false
    }

    /// Of an account's name, in bytes.
    private static let maximumNameLength = 64

    private static func checkSize(_ text: String) throws(Problem) {
        if text.utf8.count > maximumSize { throw Problem(translated("It is longer than 4 KiB.")) }
    }

    private func checkSignIn(_ ownership: (String, String) -> HostOwnership) throws(Problem) {
        guard let url = details.values["token-url"], let issuer = details.values["issuer"],
            details.values["client-id"] != nil
        else {
            throw Problem(
                translated("A sign-in with the browser needs {keys}.", ["keys": "token_url, issuer, client_id"])
            )
        }
        let hosts = (backend: try Self.host(of: url), server: try Self.host(of: issuer))
        let names = ["backend": hosts.backend, "server": hosts.server]
        let advice = translated("Your administrator can install this account as a preset.")
        switch ownership(hosts.backend, hosts.server) {
        case .one: return
        case .different:
            let reason = translated(
                "{backend} would learn who signs in at {server}, and they may belong to different companies.",
                names
            )
            throw Problem(translatedParagraph([reason, advice]))
        case .unknown:
            let reason = translated(
                "It cannot be checked whether {backend} and {server} belong to one company: libpsl is not installed.",
                names
            )
            throw Problem(translatedParagraph([reason, advice]))
        }
    }

    /// Host and port of an address.
    private static func host(of url: String) throws(Problem) -> String {
        do throws(BaseURL.Problem) {
            return BackendToken.host(of: try BaseURL.normal(url, schemes: ["https", "http"])).lowercased()
        } catch {
            throw Problem(
                translated("The address {address} cannot be used.", ["address": url])
            )
        }
    }
}

extension AccountLink.Problem {
    fileprivate static var malformed: Self {
        Self(translated("The link is damaged. Copy it again from the page of your company."))
    }

    fileprivate static func unknown(_ key: String) -> Self {
        Self(
            translated(
                "It contains \"{key}\", which is not allowed: links and files have public values only.",
                ["key": key]
            )
        )
    }
}

extension String {
    /// Whether the text is a short line of visible characters, which no direction or other invisible mark changes.
    fileprivate var isLine: Bool {
        !isEmpty && utf8.count <= 1_024
            && unicodeScalars.allSatisfy { scalar in
                switch scalar.properties.generalCategory {
                case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned, .surrogate: false
                default: true
                }
            }
    }
}
