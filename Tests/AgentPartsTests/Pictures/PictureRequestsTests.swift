import Inbox
import Testing

@testable import Agent

@Suite struct PictureRequestsTests {
    private let start = ContinuousClock.now

    private static func url(_ path: String, host: String = "example.com") -> PictureURL {
        PictureURL("https://\(host)/\(path)")!
    }

    private static let failure = PictureFailure(.picture, "x")

    @Test("Two are loaded at once, the others wait, and each is loaded once") func twoAtOnce() {
        var requests = PictureRequests()
        #expect(requests.request(Self.url("a"), now: start) == [.load(Self.url("a"))])
        #expect(requests.request(Self.url("a"), now: start) == [])
        #expect(requests.request(Self.url("b"), now: start) == [.load(Self.url("b"))])
        #expect(requests.request(Self.url("c"), now: start) == [])
        #expect(requests.request(Self.url("d"), now: start) == [])
        #expect(requests.request(Self.url("c"), now: start) == [])
        #expect(
            requests.finish(Self.url("a"), .success("/a"), now: start) == [
                .report(Self.url("a"), file: "/a"), .load(Self.url("c")),
            ]
        )
        #expect(
            requests.finish(Self.url("b"), .failure(Self.failure), now: start) == [
                .report(Self.url("b"), file: nil), .load(Self.url("d")),
            ]
        )
        #expect(requests.finish(Self.url("c"), .success("/c"), now: start) == [.report(Self.url("c"), file: "/c")])
        #expect(requests.request(Self.url("a"), now: start) == [.load(Self.url("a"))], "the cache has it")
    }

    @Test("Beyond a number of waiting pictures, further ones are not loaded") func tooMany() {
        var requests = PictureRequests()
        for number in 0..<PictureRequests.concurrent + PictureRequests.waitingLimit {
            #expect(
                !requests.request(Self.url("\(number)"), now: start).contains {
                    if case .report = $0 { true } else { false }
                }
            )
        }
        #expect(requests.request(Self.url("x"), now: start) == [.report(Self.url("x"), file: nil)])
    }

    @Test(
        "A failure is remembered for a while: for the picture, its host or everything",
        arguments: [
            (PictureFailure.Scope.picture, [true, false, false]), (.host, [true, true, false]),
            (.everything, [true, true, true]),
        ]
    )
    func failures(_ scope: PictureFailure.Scope, isRemembered: [Bool]) {
        var requests = PictureRequests()
        _ = requests.request(Self.url("a"), now: start)
        _ = requests.finish(Self.url("a"), .failure(PictureFailure(scope, "x")), now: start)
        let others = [Self.url("a"), Self.url("b"), Self.url("a", host: "example.org")]
        for (url, isRemembered) in zip(others, isRemembered) {
            var copy = requests
            let last = start + PictureRequests.retryInterval - .seconds(1)
            #expect(copy.request(url, now: last) == (isRemembered ? [.report(url, file: nil)] : [.load(url)]))
            copy = requests
            #expect(copy.request(url, now: start + PictureRequests.retryInterval) == [.load(url)])
        }
    }

    @Test("The number of recorded failures is limited: the oldest is discarded") func manyFailures() {
        var requests = PictureRequests()
        for number in 0...PictureRequests.failureLimit {
            let now = start + .milliseconds(number)
            _ = requests.request(Self.url("\(number)"), now: now)
            _ = requests.finish(Self.url("\(number)"), .failure(Self.failure), now: now)
        }
        let now = start + .seconds(1)
        #expect(requests.request(Self.url("1"), now: now) == [.report(Self.url("1"), file: nil)])
        #expect(requests.request(Self.url("0"), now: now) == [.load(Self.url("0"))])
    }
}
