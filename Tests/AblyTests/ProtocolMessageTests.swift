import Ably
import Testing

@Suite("Ably's protocol messages")
struct ProtocolMessageTests {
}
