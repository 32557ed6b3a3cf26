import FoundationEssentials
import Glibc

/// A window's report of its frames: the lines that `FrameLog` in feedbell-window describes.
struct FrameLines {
    enum Line {
        case frame(Frame)
        /// A key was pressed, at this time.
        case key(Int)
    }

    struct Frame {
        /// When it ended, in microseconds of the monotonic clock.
        var time: Int
        /// The main thread's processor time so far, in microseconds.
        var processorTime: Int
        var rows: Int
        var shownRows: Int
        /// Changes of rows so far.
        var changes: Int
    }

    let path: String

    /// In microseconds of the monotonic clock.
    static var now: Int {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return time.tv_sec * 1_000_000 + time.tv_nsec / 1_000
    }

    /// The complete lines so far.
    var lines: [Line] {
        let text = String(decoding: FileManager.default.contents(atPath: path) ?? Data(), as: UTF8.self)
        let complete = text.prefix(upTo: text.lastIndex(of: "\n") ?? text.startIndex)
        return complete.split(separator: "\n").compactMap { line in
            let words = line.split(separator: " ")
            let numbers = words.dropFirst().compactMap { Int($0) }
            if words.first == "key", numbers.count == 1 { return .key(numbers[0]) }
            guard words.first == "frame", numbers.count >= 5 else { return nil }
            return .frame(
                Frame(
                    time: numbers[0],
                    processorTime: numbers[1],
                    rows: numbers[2],
                    shownRows: numbers[3],
                    changes: numbers[4]
                )
            )
        }
    }

    var frames: [Frame] { lines.compactMap { if case .frame(let frame) = $0 { frame } else { nil } } }

    /// Waits for a frame.
    ///
    /// - Throws: ``Child/Failure`` if there is none after a minute.
    @discardableResult
    func wait(for what: String, _ fits: (Frame) -> Bool) async throws -> Frame {
        for _ in 0..<12_000 {
            if let frame = frames.first(where: fits) { return frame }
            try await Task.sleep(for: .milliseconds(5))
        }
        throw Child.Failure(description: "the window has shown no \(what) after a minute")
    }
}
