import Glibc
import TestSupport
import Testing

@testable import Agent

@Suite(.timeLimit(.minutes(5))) struct ClockWatchTests {
    @Test("Clock readings show sleep and clock changes") func readings() {
        let first = ClockReading(wall: .seconds(1_000_000), awake: .seconds(500), total: .seconds(700))
        var later = first
        later.wall += .seconds(10)
        later.awake += .seconds(10)
        later.total += .seconds(10)
        #expect(later.slept(since: first) == .zero)
        #expect(later.set(since: first) == .zero)
        later.wall += .seconds(3600)
        #expect(later.set(since: first) == .seconds(3600))
        later.wall += .seconds(60)
        later.total += .seconds(60)
        #expect(later.slept(since: first) == .seconds(60))
        #expect(later.set(since: first) == .seconds(3600))
        #expect(first.set(since: later) == .seconds(-3600))
    }

    @Test("The clocks of the system never go backwards") func systemClocks() {
        let (first, later) = (ClockReading.now, ClockReading.now)
        #expect(later.awake >= first.awake)
        #expect(later.total >= later.awake)
        #expect(later.slept(since: first) < .seconds(1))
    }

    /// Sets the clock a microsecond forward and back again.
    @Sendable private static func setTheClock() async throws -> Bool {
        let program = """
            import ctypes, struct, sys
            for seconds, microseconds in (0, 1), (-1, 999999):
                # struct timex of adjtimex(2): ADJ_SETOFFSET, and the time by which to set
                request = ctypes.create_string_buffer(struct.pack("=I68xqq", 0x100, seconds, microseconds), 256)
                if ctypes.CDLL(None).adjtimex(request) < 0: sys.exit(1)
            """
        return try await Command.run("python3", ["-c", program]).succeeded
    }

    @Test(
        "Each change of the wall clock is reported",
        .enabled(if: isRoot, "needs root: sets the clock by a microsecond"),
        .enabled("even root may not set the clock here") { isRoot ? try await setTheClock() : true }
    )
    func clockChanges() async throws {
        let (jumps, jump) = AsyncStream<Void>.makeStream()
        await withTaskGroup { group in
            group.addTask { await ClockWatch().run { jump.yield() } }
            // Repeatedly, because the start of the watch is unknown.
            group.addTask {
                while (try? await Self.setTheClock()) == true { try? await Task.sleep(for: .milliseconds(50)) }
            }
            for _ in 1...3 { #expect(await jumps.next() != nil) }
            group.cancelAll()
        }
    }
}
