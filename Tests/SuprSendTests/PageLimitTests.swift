import ClientKit
import Testing

@testable import SuprSend

/// The sizes of pages after answers that were too long.
@Suite struct PageLimitTests {
    private static func error(isTooLarge: Bool = false, isTooSlow: Bool = false) -> SuprSendError {
        var error = SuprSendError(.unreachable, "x")
        (error.isTooLarge, error.isTooSlow) = (isTooLarge, isTooSlow)
        return error
    }

    @Test("Half the rows after an answer that is too large, a quarter after one that is too slow") func shorter() {
        var limit = PageLimit(100)
        func shorten(_ size: Int, after error: SuprSendError) -> Bool { limit.shorten(size, after: error) }
        #expect(!shorten(100, after: Self.error()))
        #expect(limit.rows == 100)
        #expect(shorten(100, after: Self.error(isTooLarge: true)))
        #expect(limit.rows == 50)
        #expect(shorten(20, after: Self.error(isTooSlow: true)))
        #expect(limit.rows == 5)
        #expect(shorten(2, after: Self.error(isTooSlow: true)))
        #expect(limit.rows == 1)
        #expect(!shorten(1, after: Self.error(isTooSlow: true)), "one row alone")
        limit.startOver()
        #expect(limit.rows == 50, "the link may be faster, the rows are as large as before")
    }
}
