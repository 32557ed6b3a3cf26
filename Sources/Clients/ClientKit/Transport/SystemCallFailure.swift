import NIOCore

#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

/// A failed system call as the end of a sentence, such as "permission denied while connecting".
struct SystemCallFailure: Equatable {
    var words: String

    init(_ error: IOError) {
        let name = strerror(error.errnoCode).map { String(cString: $0) } ?? "error \(error.errnoCode)"
        words = name.prefix(1).lowercased() + name.dropFirst()
        if let activity = Self.activity(of: error) { words += " while \(activity)" }
    }

    /// From the name of the failed function, which begins the error's description; nil: unknown.
    private static func activity(of error: IOError) -> String? {
        let function = error.description.prefix { $0 != "(" && $0 != ":" }
        return switch function {
        case "setsockopt": "setting an option of the socket"
        case "socket": "opening a socket"
        case "read", "recv", "recvmsg": "reading"
        case "write", "writev", "send", "sendmsg": "writing"
        case "connect", "finishing a non-blocking connect failed": "connecting"
        default: nil
        }
    }
}
