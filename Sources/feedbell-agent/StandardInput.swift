import Agent
import ArgumentParser
import DBus
import Desktop
import Glibc
import ServiceKit

extension SecretService {
    /// That of this session; nil: there is not even a bus.
    static func session() async -> SecretService? {
        guard let bus = try? await Bus.connect(to: .session) else { return nil }
        return SecretService(bus: bus)
    }
}

/// Says on standard error what is wrong. Thrown, it ends the program.
func problem(_ sentence: String, code: Int32) -> ExitCode {
    StandardErrorLog.write(sentence)
    return ExitCode(code)
}

enum StandardInput {
    /// The token that comes there.
    static func token() throws -> String {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 16 << 10)
        while bytes.count <= 64 << 10 {
            let count = read(STDIN_FILENO, &buffer, buffer.count)
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { break }
            bytes += buffer[..<count]
        }
        guard bytes.count <= 64 << 10, case .token(let token) = TokenText(String(decoding: bytes, as: UTF8.self)) else {
            throw problem("What came on standard input is no token: one line without blanks is.", code: 65)
        }
        return token
    }
}
