import Basics
import Glibc
import Testing

/// Functions that block, each on a thread of its own.
@Suite(.timeLimit(.minutes(5))) struct BlockingWorkTests {
    @Test("The result of a function that blocks is returned") func result() async {
        let caller = pthread_self()
        let thread = await runBlocking { pthread_self() }
        #expect(thread != nil && thread != caller)
    }

    @Test("A cancelled task does not wait for the function") func cancellation() async throws {
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        let (reading, writing) = (ends[0], ends[1])
        let (ended, end) = AsyncStream.makeStream(of: Void.self)
        await withTaskGroup(of: Int?.self) { group in
            group.addTask {
                await runBlocking {
                    defer { end.finish() }
                    var byte: UInt8 = 0
                    return read(reading, &byte, 1)
                }
            }
            group.cancelAll()
            for await result in group { #expect(result == nil) }
        }
        close(writing)
        for await _ in ended {}
        close(reading)
    }
}
