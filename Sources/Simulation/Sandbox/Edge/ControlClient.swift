import FoundationEssentials
import NIOCore
import NIOHTTP1
import NIOPosix

/// Sends one command to a running sandbox.
package enum ControlClient {
    /// - Parameters:
    ///   - url: the base URL that the sandbox prints, `http://127.0.0.1:PORT`.
    ///   - arguments: the text of a JSON object, or an empty string.
    /// - Returns: the answer's JSON text.
    /// - Throws: ``CommandMistake`` with the error that the sandbox returned, or the reason why it is unreachable.
    package static func send(_ command: String, _ arguments: String, to url: String) async throws(CommandMistake)
        -> String
    {
        guard let target = URL(string: url), target.scheme == "http", let host = target.host, let port = target.port
        else {
            throw CommandMistake("'\(url)' is not the address of a sandbox, such as http://127.0.0.1:8080.")
        }
        guard !command.isEmpty, command.allSatisfy({ $0.isASCII && ($0.isLetter || $0 == "-") }) else {
            throw CommandMistake("'\(command)' is not a command; 'help' lists all commands.")
        }
        let answer: (status: Int, text: String)
        do {
            answer = try await exchange(command, arguments, host: host, port: port)
        } catch {
            throw CommandMistake("No sandbox answers at \(url).")
        }
        guard answer.status == 200 else {
            throw CommandMistake(
                JSON(parsing: answer.text)?["error"]?.string ?? "The sandbox answered \(answer.status)."
            )
        }
        // Help is text; every other answer is JSON.
        return JSON(parsing: answer.text)?.string ?? answer.text
    }

    /// A currently valid token, as an account's `token_command` prints it.
    package static func token(for recipient: Recipient, at url: String) async throws(CommandMistake) -> String {
        let answer = try await send("token", recipient.arguments().text, to: url)
        guard let token = JSON(parsing: answer)?["token"]?.string else {
            throw CommandMistake("The sandbox at \(url) did not return a token.")
        }
        return token
    }

    private static func exchange(_ command: String, _ arguments: String, host: String, port: Int) async throws
        -> (status: Int, text: String)
    {
        let channel: NIOAsyncChannel<HTTPClientResponsePart, HTTPClientRequestPart> =
            try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connectTimeout(.seconds(5))
            .connect(host: host, port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHTTPClientHandlers()
                    return try NIOAsyncChannel(wrappingChannelSynchronously: channel)
                }
            }
        return try await channel.executeThenClose { inbound, outbound in
            let headers: HTTPHeaders = [
                "Host": "\(host):\(port)", "Content-Type": "application/json", "Connection": "close",
                "Content-Length": "\(arguments.utf8.count)",
            ]
            // At once: the sandbox may answer and close the connection before another write.
            try await outbound.write(contentsOf: [
                .head(HTTPRequestHead(version: .http1_1, method: .POST, uri: "/control/\(command)", headers: headers)),
                .body(.byteBuffer(ByteBuffer(string: arguments))),
                .end(nil),
            ])
            var status = 0
            var text = ""
            for try await part in inbound {
                switch part {
                case .head(let head): status = Int(head.status.code)
                case .body(let buffer): text += String(buffer: buffer)
                case .end: break
                }
            }
            return (status, text)
        }
    }
}
