import CLinux
import Glibc
import Synchronization

/// The user's language, for ``translated(_:_:)``. Until ``useEnvironment()`` was called it is English, and numbers are
/// not grouped.
///
/// The language applies to the lookup of messages only: strerror(3) and what else depends on the locale stay as they
/// are, so logs are always in English.
package enum Language {
    /// The name of the catalogues, `LANGUAGE/LC_MESSAGES/feedbell.mo`.
    static let domain = "feedbell"

    /// The `locale_t` of the language as an integer; 0: English.
    private static let locale = Atomic<UInt>(0)

    /// The `locale_t` of numbers as an integer; 0: they are not grouped.
    private static let numericLocale = Atomic<UInt>(0)

    /// The `locale_t` of dates and times as an integer; 0: as in the locale C.
    private static let dateLocale = Atomic<UInt>(0)

    /// The locale of dates and times; nil: as in the locale C.
    static var timeLocale: locale_t? { locale_t(bitPattern: dateLocale.load(ordering: .relaxed)) }

    /// Uses the language of LANGUAGE, LC_ALL, LC_MESSAGES and LANG (gettext(3)). English if there is no catalogue for
    /// it, if the catalogue is damaged, or if the locale is not installed.
    ///
    /// The catalogues are in the directory TEXTDOMAINDIR, or in `share/locale` beside the directory of the program.
    package static func useEnvironment() {
        if let numbers = newlocale(1 << LC_NUMERIC, "", nil) {
            numericLocale.store(UInt(bitPattern: numbers), ordering: .relaxed)
        }
        if let times = newlocale(1 << LC_TIME | 1 << LC_CTYPE, "", nil) {
            dateLocale.store(UInt(bitPattern: times), ordering: .relaxed)
        }
        guard let found = newlocale(1 << LC_MESSAGES | 1 << LC_CTYPE, "", nil) else { return }
        let name = feedbell_messages_locale(found).map { String(cString: $0) } ?? "C"
        // gettext(3) does not translate in these.
        guard name != "C", name != "POSIX", let directory = variable("TEXTDOMAINDIR") ?? Self.directory() else {
            return
        }
        let languages = languages(locale: name, preferred: variable("LANGUAGE"))
        let paths = languages.map { "\(directory)/\($0)/LC_MESSAGES/\(domain).mo" }
        guard !paths.contains(where: { CatalogueFile(path: $0) == .damaged }) else { return }
        guard bindtextdomain(domain, directory) != nil, bind_textdomain_codeset(domain, "UTF-8") != nil else { return }
        locale.store(UInt(bitPattern: found), ordering: .relaxed)
    }

    /// The names under which catalogues may exist, such as `de_AT` and `de`.
    ///
    /// - Parameters:
    ///   - locale: A locale, such as `de_AT.UTF-8`.
    ///   - preferred: The languages of LANGUAGE, separated by colons.
    static func languages(locale: String, preferred: String?) -> [String] {
        ((preferred ?? "").split(separator: ":") + [locale[...]]).flatMap { name in
            let ends = [name.endIndex] + [".", "@", "_"].compactMap { name.firstIndex(of: $0) }
            return Set(ends.map { String(name[..<$0]) }).filter { !$0.isEmpty && !$0.contains("/") }.sorted(by: >)
        }
    }

    /// Calls `body` while this thread uses the locale of the language; returns nil in English.
    static func lookUp<Result>(_ body: () -> Result) -> Result? {
        guard let locale = locale_t(bitPattern: locale.load(ordering: .relaxed)) else { return nil }
        let previous = uselocale(locale)
        defer { uselocale(previous) }
        return body()
    }

    /// The number as people read it, grouped as LC_NUMERIC of the environment says.
    static func grouped(_ number: Int) -> String {
        guard let locale = locale_t(bitPattern: numericLocale.load(ordering: .relaxed)) else { return "\(number)" }
        return DigitGrouping(locale).format(number)
    }

    /// `/usr/bin/feedbell` has its catalogues in `/usr/share/locale`.
    private static func directory() -> String? {
        guard let program = realpath("/proc/self/exe", nil) else { return nil }
        defer { free(program) }
        return String(cString: dirname(dirname(program))) + "/share/locale"
    }

    private static func variable(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
    }
}
