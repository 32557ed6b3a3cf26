import Basics
import Glibc

/// Whether two hosts belong to one owner: whether they have the same registrable domain by the public suffix list
/// (publicsuffix.org), which libpsl has.
package enum HostOwnership: Equatable, Sendable {
    case one
    case different
    /// libpsl is not installed.
    case unknown

    /// - Parameters:
    ///   - first: Host and port.
    ///   - second: Host and port.
    package init(_ first: String, _ second: String) {
        let (name, otherName) = (Self.name(first), Self.name(second))
        if name.isLoopbackHost || otherName.isLoopbackHost {
            // Each port of this computer may be another user's.
            self = first == second ? .one : .different
            return
        }
        // Not a name of the list: with a dot at its end each name would be registrable.
        guard !Self.hasEmptyLabel(name), !Self.hasEmptyLabel(otherName) else {
            self = .different
            return
        }
        guard let list = PublicSuffixList() else {
            self = .unknown
            return
        }
        defer { list.free() }
        let domain = list.registrableDomain(of: name)
        self = domain != nil && domain == list.registrableDomain(of: otherName) ? .one : .different
    }

    private static func hasEmptyLabel(_ name: String) -> Bool {
        name.split(separator: ".", omittingEmptySubsequences: false).contains("")
    }

    private static func name(_ host: String) -> String {
        if host.hasPrefix("[") { return String(host.dropFirst().prefix { $0 != "]" }) }
        return String(host.prefix { $0 != ":" })
    }
}

/// libpsl's list. It is opened when it is needed: few links need it.
private struct PublicSuffixList {
    private typealias Latest = @convention(c) (UnsafePointer<CChar>?) -> OpaquePointer?
    private typealias Free = @convention(c) (OpaquePointer?) -> Void
    private typealias Registrable =
        @convention(c) (OpaquePointer?, UnsafePointer<CChar>?) -> UnsafePointer<CChar>?

    private let list: OpaquePointer
    private let registrable: Registrable
    private let freeList: Free

    init?() {
        guard let library = dlopen("libpsl.so.5", RTLD_NOW | RTLD_LOCAL),
            let latest = dlsym(library, "psl_latest"), let free = dlsym(library, "psl_free"),
            let registrable = dlsym(library, "psl_registrable_domain"),
            let list = unsafeBitCast(latest, to: Latest.self)(nil)
        else { return nil }
        self.list = list
        self.registrable = unsafeBitCast(registrable, to: Registrable.self)
        freeList = unsafeBitCast(free, to: Free.self)
    }

    func free() { freeList(list) }

    /// - Parameter name: In lowercase; international names in their ASCII form.
    /// - Returns: nil: it is a public suffix itself, or an address.
    func registrableDomain(of name: String) -> String? {
        // The list has no numbers, so that "2.3" would be the domain of 1.0.2.3.
        let last = name.split(separator: ".").last ?? ""
        if last.allSatisfy(\.isNumber) || name.contains(":") { return nil }
        return name.withCString { registrable(list, $0).map { String(cString: $0) } }
    }
}
