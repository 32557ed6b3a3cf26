import AgentInterface
import ArgumentParser
import Glibc
import VisibleText

/// The notifications that an action concerns: ids, or those that a filter selects.
struct SelectionOptions: ParsableArguments {
    /// The paragraph of help texts about filters.
    static let explanation = """
        Takes ids, or chooses notifications with --category, --tag, --read and --before (all of them must hold) or \
        --all, without --account in all accounts whose service can do it. Then it says how many it changes, and asks; \
        without a terminal, as in a script, it needs --yes.
        """

    @OptionGroup var account: AccountOptions
    @Argument(
        help: "Ids or unique prefixes of ids; \"-\" reads them from standard input, one on a line.",
        completion: .custom(ShellCompletion.notifications)
    )
    var ids: [String] = []
    @Option(help: "All of this category.", completion: .custom(ShellCompletion.inboxCategories)) var category: String?
    @Option(help: "All with this tag.", completion: .custom(ShellCompletion.inboxTags)) var tag: String?
    @Option(
        help: ArgumentHelp("All that were created before: \(SinceTime.beforeForms).", valueName: "time"),
        completion: .custom(ShellCompletion.periods)
    ) var before: String?
    @Flag(name: .customLong("read"), help: "All that are read.") var isRead = false
    @Flag(name: .customLong("all"), help: "All that are not archived.") var isAll = false
    @Flag(help: "Do not ask.") var yes = false
    @Flag(help: "With a filter, print a JSON object: how many were changed.") var json = false

    /// The filters that are given.
    var filters: [String] {
        [("--category", category != nil), ("--tag", tag != nil), ("--read", isRead), ("--before", before != nil)]
            .filter(\.1).map(\.0)
    }

    var hasFilter: Bool { isAll || !filters.isEmpty }

    func validate() throws {
        if isAll, let filter = filters.first { throw ValidationError(Failure.exclusive(["--all", filter])) }
        if hasFilter, !ids.isEmpty {
            throw ValidationError(translated("Give ids or a filter, not both."))
        }
        if !hasFilter, ids.isEmpty {
            throw ValidationError(
                translated("Give ids, or choose notifications with --category, --tag, --read, --before or --all.")
            )
        }
    }

    /// The options of a list of the selected notifications.
    ///
    /// - Parameter now: Milliseconds since the Unix epoch.
    func listOptions(now: Int64) throws -> ListOptions {
        var options = ListOptions()
        (options.category, options.tag) = (category, tag)
        options.before = try before.map { try SinceTime.required($0, forms: SinceTime.beforeExamples, now: now) }
        return options
    }
}

/// Ids on standard input.
enum StandardInputIDs {
    /// The maximum size of the input, in bytes.
    private static let limit = 1 << 20

    /// The ids with those of standard input in place of "-".
    static func expanded(_ ids: [String]) throws -> [String] {
        guard let index = ids.firstIndex(of: "-") else { return ids }
        guard let text = StandardInput.text(atMost: limit) else {
            throw Failure(translated("Standard input is too long for a list of ids."), .usage)
        }
        return ids[..<index] + parsed(text) + ids[(index + 1)...].filter { $0 != "-" }
    }

    /// The ids of lines: what stands before the first space or tab, so that the lines of `feedbell list` can be used.
    static func parsed(_ text: String) -> [String] {
        text.split(whereSeparator: \.isNewline).compactMap { line in
            line.split(whereSeparator: \.isWhitespace).first.map(String.init)
        }
    }
}
