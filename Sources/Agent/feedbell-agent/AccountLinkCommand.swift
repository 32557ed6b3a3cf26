import Agent
import AgentInterface
import ArgumentParser
import Basics
import Glibc
import VisibleText

/// `feedbell-agent account-link`, from which the window and `feedbell accounts add` get the values of a link or a file.
struct AccountLinkCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "account-link",
        abstract: "Print the values of a link or a file for a new account",
        discussion: """
            Standard input has the link, feedbell:add?…, or the path or address of a file. The output is a JSON \
            object: name, provider, the values by option of `accounts add`, and whether the token alone names project \
            and user. Nothing is requested, and nothing is added.

            Example:
              $ echo work.feedbell | feedbell-agent account-link | jq .values

            Exit code: 65 the link or the file is of no use.
            """
    )

    func run() throws {
        Language.useEnvironment()
        let details: AccountDetails
        do throws(AccountLink.Problem) { details = try Self.link().details } catch {
            throw problem(error.sentence, code: 65)
        }
        try StandardStream.output.write(json: details)
    }
}

extension AccountLinkCommand {
    /// In bytes; the path of a file may be longer than a link.
    private static let maximumSize = 8 << 10

    /// The link or the file that standard input names.
    private static func link() throws(AccountLink.Problem) -> AccountLink {
        let text = StandardInput.text(atMost: maximumSize).map { String($0.prefix { $0 != "\n" }) } ?? ""
        let (services, ownership) = (Services.all, { HostOwnership($0, $1) })
        return AccountLink.isLink(text)
            ? try AccountLink(link: text, services: services, ownership: ownership)
            : try AccountLink(file: try contents(of: text), services: services, ownership: ownership)
    }

    /// - Parameter place: A path, or the `file:` address of one (RFC 8089).
    private static func contents(of place: String) throws(AccountLink.Problem) -> String {
        var path = place
        if place.hasPrefix("file:") {
            let local = ["file://localhost/", "file:///", "file:/"].first { place.hasPrefix($0) }
            path = local.flatMap { place.dropFirst($0.utf8.count - 1).percentDecoded } ?? ""
        }
        let unreadable = AccountLink.Problem(
            translated("The file {path} cannot be read.", ["path": place.onOneLine])
        )
        // Not blocking: it may be a pipe.
        let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw unreadable }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { throw unreadable }
        // Two bytes for a character at most; the link has a limit of its own.
        let limit = 2 * AccountLink.maximumSize
        let bytes = StandardInput.bytes(from: descriptor, atMost: limit) { () throws(Never) in }
        guard bytes.count <= limit else { throw unreadable }
        return AccountLink.text(of: bytes)
    }
}
