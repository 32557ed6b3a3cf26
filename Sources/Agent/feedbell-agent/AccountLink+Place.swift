import Agent
import AgentInterface
import Basics
import Glibc
import VisibleText

extension AccountLink {
    /// The values of a link, or of the file at a path or at its `file:` address (RFC 8089).
    static func details(in text: String) throws(AgentRequest.Failure) -> AccountDetails {
        let (services, ownership) = (Services.all, { HostOwnership($0, $1) })
        do throws(Problem) {
            let link =
                isLink(text)
                ? try AccountLink(link: text, services: services, ownership: ownership)
                : try AccountLink(file: try contents(of: text), services: services, ownership: ownership)
            return link.details
        } catch {
            throw AgentRequest.Failure(.invalidInput, error.sentence)
        }
    }

    private static func contents(of place: String) throws(Problem) -> String {
        var path = place
        if place.hasPrefix("file:") {
            let local = ["file://localhost/", "file:///", "file:/"].first { place.hasPrefix($0) }
            path = local.flatMap { place.dropFirst($0.utf8.count - 1).percentDecoded } ?? ""
        }
        let unreadable = Problem(translated("The file {path} cannot be read.", ["path": place.onOneLine]))
        // Not blocking: it may be a pipe.
        let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw unreadable }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { throw unreadable }
        // Two bytes for a character at most; the link has a limit of its own.
        let limit = 2 * maximumSize
        let bytes = StandardInput.bytes(from: descriptor, atMost: limit) { () throws(Never) in }
        guard bytes.count <= limit else { throw unreadable }
        return self.text(of: bytes)
    }
}
