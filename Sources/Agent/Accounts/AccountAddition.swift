package import Desktop
package import ServiceKit

/// Adds an account to the configuration on disk, its token to the Secret Service or to a file of its own.
package struct AccountAddition: Sendable {
    /// Why nothing was added, and what the program tells its caller by its exit code.
    package enum Failure: Error, Equatable, Sendable, CustomStringConvertible {
        /// What was given is wrong.
        case rejected(String)
        case configuration(ConfigurationError)
        case unwritable(String)
        case secretService(SecretServiceError)

        init(_ error: any Error) {
            switch error {
            case Configuration.AdditionFailure.rejected(let sentence): self = .rejected(sentence)
            case Configuration.AdditionFailure.configuration(let error): self = .configuration(error)
            case let error as ConfigurationError: self = .configuration(error)
            case let error as PrivateFile.Failure: self = .unwritable(error.description)
            case let error as SecretServiceError: self = .secretService(error)
            default: self = .unwritable("\(error)")
            }
        }

        package var description: String {
            switch self {
            case .rejected(let sentence), .unwritable(let sentence): sentence
            case .configuration(let error): error.description
            case .secretService(let error):
                "\(error) Nothing was added. To keep the token in a file: --no-secret-service"
            }
        }

        /// 64 wrong options (`EX_USAGE`), 73 a file cannot be written (`EX_CANTCREAT`), 77 the keyring stayed locked (`EX_NOPERM`)
        /// or failed, 78 the configuration is wrong (`EX_CONFIG`).
        package var exitCode: Int32 {
            switch self {
            case .rejected: 64
            case .unwritable: 73
            case .secretService: 77
            case .configuration: 78
            }
        }
    }

    private let file: ConfigurationFile
    private let account: AccountConfiguration
    private let token: String?
    private let service: SecretService?

    /// - Parameters:
    ///   - account: What is added. If there is a `token`, its source is decided here.
    ///   - token: What is to be stored.
    ///   - service: Where; nil: in a file.
    package init(
        _ account: AccountConfiguration,
        to file: ConfigurationFile,
        token: String? = nil,
        service: SecretService? = nil
    ) {
        self.file = file
        self.account = account
        self.token = token
        self.service = service
    }

    /// Checks what can be checked without storing anything: the values, the token's file, and whether the configuration can take it.
    ///
    /// - Parameter isNamed: Whether the account has its name yet; one without is only checked for the rest.
    package func check(isNamed: Bool = true) throws(Failure) {
        do {
            let text = try file.text() ?? ""
            _ = try Configuration(toml: text, file: file.path, services: file.services)
            _ = try adding(nil, to: isNamed ? text : "")
        } catch {
            throw Failure(error)
        }
        do { try account.service.check() } catch { throw .rejected(error.sentence) }
        if case .file(let path)? = account.service.token { try Self.check(tokenFile: path) }
    }

    private static func check(tokenFile path: String) throws(Failure) {
        let text: String
        do { text = try TokenReader.contents(of: path) } catch { throw .rejected(error.description) }
        guard case .token = TokenText(text) else {
            throw .rejected("\"\(path)\" (token_file) holds no token: its first line must be one, without blanks.")
        }
    }

    /// Adds it, all of it or nothing. Returns what was done, in sentences.
    package func run() async throws(Failure) -> [String] {
        try check()
        do {
            let target = PrivateFile(file.path)
            try target.makeDirectory()
            // The user may be asked here, for minutes, so the file is locked only afterwards, and read once more.
            let (source, sentences) = try await storeToken(try file.text() ?? "", beside: target)
            return try await target.locked {
                try target.replace(with: try adding(source, to: try file.text() ?? ""))
                return ["The account \"\(account.name)\" is in \(target.path) now."] + sentences
            }
        } catch {
            throw Failure(error)
        }
    }

    private func adding(_ source: TokenSource?, to text: String) throws(Configuration.AdditionFailure) -> String {
        var account = account
        if let source { account.service.token = source }
        return try Configuration.text(text, adding: account, file: file.path, services: file.services)
    }

    /// Stores the token, after it is clear that the account can be added. Returns where it is, and says so.
    private func storeToken(_ text: String, beside target: PrivateFile) async throws -> (TokenSource?, [String]) {
        guard let token else { return (nil, []) }
        let item = TokenItem(account: account.name)
        let path = "\(target.directory)/tokens/\(account.name.fileName)"
        _ = try adding(.secret(item.attributes), to: text)
        _ = try adding(.file(path), to: text)
        var reason = ""
        if let service {
            switch await failure(of: service, storing: token, as: item) {
            case nil:
                return (.secret(item.attributes), ["Its token is in the Secret Service, called \"\(item.label)\"."])
            case .some(let error) where error == .noService || error == .noEncryption: reason = "\(error) "
            case .some(let error): throw error
            }
        }
        let file = PrivateFile(path)
        try file.makeDirectory()
        try file.replace(with: token + "\n")
        return (.file(path), ["\(reason)Its token is in \(path), which only you may read."])
    }

    private func failure(
        of service: SecretService,
        storing token: String,
        as item: TokenItem
    ) async -> SecretServiceError? {
        do {
            try await service.store(Array(token.utf8), label: item.label, attributes: item.allAttributes)
            return nil
        } catch {
            return error
        }
    }
}

extension String {
    /// The text as the name of a file: bytes that could mean something to a file system or a shell as % and two hexadecimal digits.
    fileprivate var fileName: String {
        let digits = Array("0123456789ABCDEF")
        return utf8.map { byte in
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || "-_@".utf8.contains(byte)
                ? String(Unicode.Scalar(byte)) : "%\(digits[Int(byte >> 4)])\(digits[Int(byte & 15)])"
        }.joined()
    }
}
