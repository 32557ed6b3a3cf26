package import AgentInterface
import Basics

/// A request for the sender's picture of a notification.
package struct PictureRequest: Hashable, Sendable {
    package var row: RowID
    /// The notification's `avatar`.
    package var url: String
}

/// The senders' pictures, by their URLs: requested for rows on the screen, a few at once, and kept up to a number.
///
/// A row shows the picture of its own URL, whichever row it was requested for.
struct RowPictures: Equatable, Sendable {
    /// The limit of requests without a reply. The agent rejects them beyond another limit.
    static let concurrent = 4
    /// The limit of kept pictures.
    static let limit = 200
    /// In milliseconds: the agent does not load earlier what has failed.
    static let retryInterval: Int64 = 600_000

    private enum State: Equatable {
        case requested
        /// In this file.
        case loaded(String)
        /// Since this time, in milliseconds since the Unix epoch.
        case missing(Int64)
    }

    private struct Picture: Equatable {
        /// For which row it was requested.
        var source: RowID
        var state: State
    }

    private var pictures: [ExactText: Picture] = [:]
    /// The URLs of ``pictures``, the first requested first.
    private var order: [ExactText] = []

    /// The file of a picture; empty: none is known.
    func file(_ url: String) -> String {
        if case .loaded(let file) = pictures[ExactText(url)]?.state { file } else { "" }
    }

    /// The pictures to request now.
    ///
    /// - Parameters:
    ///   - visible: The rows on the screen, each with its URL, which may be empty.
    ///   - now: Milliseconds since the Unix epoch.
    mutating func requests(for visible: [PictureRequest], now: Int64) -> [PictureRequest] {
        var free = Self.concurrent - pictures.values.filter { $0.state == .requested }.count
        var new: [PictureRequest] = []
        for request in visible where free > 0 && !request.url.isEmpty && isNeeded(request.url, now: now) {
            let url = ExactText(request.url)
            if pictures[url] == nil { order.append(url) }
            pictures[url] = Picture(source: request.row, state: .requested)
            new.append(request)
            free -= 1
        }
        if order.count > Self.limit { removeExcess(keeping: Set(visible.map { ExactText($0.url) })) }
        return new
    }

    private func isNeeded(_ url: String, now: Int64) -> Bool {
        guard let picture = pictures[ExactText(url)] else { return true }
        guard case .missing(let since) = picture.state else { return false }
        // The clock may have been set back.
        return !(since..<since + Self.retryInterval).contains(now)
    }

    private mutating func removeExcess(keeping visible: Set<ExactText>) {
        var excess = order.count - Self.limit
        order.removeAll { url in
            guard excess > 0, !visible.contains(url), pictures[url]?.state != .requested else { return false }
            excess -= 1
            pictures[url] = nil
            return true
        }
    }

    /// Handles the reply to a request.
    ///
    /// - Parameter file: Empty: there is no picture.
    mutating func finish(_ request: PictureRequest, file: String, now: Int64) {
        let url = ExactText(request.url)
        guard pictures[url]?.state == .requested else { return }
        pictures[url]?.state = file.isEmpty ? .missing(now) : .loaded(file)
    }

    /// A file cannot be read any more, or is not a picture.
    mutating func lose(file: String, now: Int64) {
        for (url, picture) in pictures where picture.state == .loaded(file) { pictures[url]?.state = .missing(now) }
    }

    /// Another agent may have what the previous one had not.
    mutating func retryMissing() { remove { _, picture in if case .missing = picture.state { true } else { false } } }

    /// Removes pictures whose notification has another URL by now: the reply may have been about that one.
    ///
    /// - Parameter url: The present URL of a row; nil: the row is unknown.
    mutating func compare(_ present: (RowID) -> String?) {
        remove { url, picture in
            picture.state != .requested && present(picture.source).map { ExactText($0) != url } == true
        }
    }

    private mutating func remove(_ isRemoved: (ExactText, Picture) -> Bool) {
        pictures = pictures.filter { !isRemoved($0.key, $0.value) }
        order.removeAll { pictures[$0] == nil }
    }
}
