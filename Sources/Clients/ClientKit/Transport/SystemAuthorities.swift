#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

/// Where the certificate authorities that this computer trusts are: in PEM files, and in directories with a file for
/// each authority, named by the hash of its subject.
package struct SystemAuthorities: Sendable, Equatable {
    enum Entry: Sendable {
        case file, directory
    }

    /// Of the files, the first one that exists is used, and of the directories as well.
    private static let files = [
        "/etc/ssl/certs/ca-certificates.crt",  // Debian, Ubuntu, Arch, Alpine, Gentoo, NixOS
        "/etc/pki/tls/certs/ca-bundle.crt",  // Fedora until 43, RHEL
        "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem",  // Fedora, RHEL
        "/etc/ssl/ca-bundle.pem",  // openSUSE
        "/etc/ssl/certs/ca-bundle.crt",  // NixOS
        "/etc/ssl/cert.pem",  // Alpine, Void
        "/etc/pki/tls/cert.pem",
    ]
    private static let directories = [
        "/etc/ssl/certs",  // Debian, Ubuntu, Arch, openSUSE
        "/etc/pki/ca-trust/extracted/pem/directory-hash",  // Fedora
        "/etc/pki/tls/certs",
    ]

    /// The file that the user names; nil: none.
    let file: String?
    /// The directories that the user names; nil: none.
    private let directories: [String]?

    /// - Parameter environment: `SSL_CERT_FILE` names another file, and `SSL_CERT_DIR` other directories, with colons
    ///   between them (openssl-env(7)).
    package init(environment: [String: String]) {
        file = environment["SSL_CERT_FILE"].flatMap { $0.isEmpty ? nil : $0 }
        directories = environment["SSL_CERT_DIR"].flatMap { text in
            let names = text.split(separator: ":").map(String.init)
            return names.isEmpty ? nil : names
        }
    }

    /// The file and the directories that exist. May wait for a file system.
    ///
    /// - Parameter entry: Returns the kind of what is at a path; nil: nothing usable.
    func existing(_ entry: (String) -> Entry? = Entry.init(at:)) -> (file: String?, directories: [String]) {
        let file = file ?? Self.files.first { entry($0) == .file }
        let directories = directories ?? Self.directories.first { entry($0) == .directory }.map { [$0] } ?? []
        return (file.flatMap { entry($0) == .file ? $0 : nil }, directories.filter { entry($0) == .directory })
    }
}

extension SystemAuthorities.Entry {
    /// What is at a path, after symbolic links.
    init?(at path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        switch status.st_mode & S_IFMT {
        case S_IFREG: self = .file
        case S_IFDIR: self = .directory
        default: return nil
        }
    }
}
