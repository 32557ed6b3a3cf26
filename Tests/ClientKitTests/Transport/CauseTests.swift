import Glibc
import NIOCore
import Testing

@testable import ClientKit

/// The causes of system errors.
struct CauseTests {
    @Test(
        "A system error is described with the host or the proxy, and without the path",
        arguments: [
            (ECONNREFUSED, .connectionRefused, "nothing listens there"), (ENETUNREACH, .noRoute, "there is no network"),
            (ENETDOWN, .noRoute, "there is no network"), (EHOSTUNREACH, .noRoute, "there is no route to it"),
            (ECONNRESET, nil, "the connection was reset"), (ETIMEDOUT, nil, "it did not answer"),
            (EMFILE, nil, "too many open files while connecting"), (EACCES, nil, "permission denied while connecting"),
        ] as [(CInt, TransportError.Cause?, String)]
    )
    func systemErrors(code: CInt, cause: TransportError.Cause?, words: String) throws {
        let endpoint = try Endpoint("https://a.example/path?token=geheim")
        let error = IOError(errnoCode: code, reason: "connect")
        let direct = TransportError(error, on: Route(endpoint, through: [nil]))
        #expect(direct == TransportError(.unreachable, "a.example could not be reached: \(words).", cause: cause))
        let proxy = try ProxyServer("http://anna:geheim@p:1", source: "https_proxy")
        let proxied = TransportError(error, on: Route(endpoint, through: [proxy]))
        let sentence = "The proxy p:1 (https_proxy) could not be reached: \(words)."
        #expect(proxied == TransportError(.unreachable, sentence, cause: cause))
    }

    @Test(
        "The description of a failed system call has its cause and its activity",
        arguments: [
            ("setsockopt(socket:level:option_name:option_value:option_len:)", " while setting an option of the socket"),
            ("connect(descriptor:addr:size:)", " while connecting"),
            ("finishing a non-blocking connect failed", " while connecting"),
            ("socket(domain:type:protocol:)", " while opening a socket"),
            ("read(descriptor:pointer:size:)", " while reading"), ("writev(descriptor:iovecs:)", " while writing"),
            ("connection reset (error set)", ""), ("", ""),
        ]
    )
    func systemCalls(reason: String, activity: String) {
        let failure = SystemCallFailure(IOError(errnoCode: EACCES, reason: reason))
        #expect(failure.words == "permission denied\(activity)")
    }
}
