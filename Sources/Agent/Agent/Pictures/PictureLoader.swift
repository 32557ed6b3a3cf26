import Basics
package import Inbox
package import Logging

/// Loads pictures: from the cache, or from the network through the decoder into the cache.
package actor PictureLoader: PictureSource {
    private let cache: PictureCache
    private let download: PictureDownload
    private let clock: any Clock<Duration>
    private let logger: Logger
    private let requested = Mailbox<PictureURL>()
    private var requests = PictureRequests()
    /// Found with the first picture that is not in the cache.
    private var decoder: PictureDecoder?
    private var hasReportedDecoder = false

    package init(cache: PictureCache, download: PictureDownload, clock: any Clock<Duration>, logger: Logger) {
        self.cache = cache
        self.download = download
        self.clock = clock
        self.logger = logger
    }

    package nonisolated func request(_ url: PictureURL) { requested.send(url) }

    package func run(_ loaded: @escaping @Sendable (PictureURL, _ file: String?) async -> Void) async {
        await withDiscardingTaskGroup { group in
            let ended = Mailbox<(PictureURL, Result<String, PictureFailure>)>()
            let effects = Mailbox<PictureRequests.Effect>()
            group.addTask {
                for await url in self.requested.messages { await self.begin(url).forEach { effects.send($0) } }
                effects.close()
            }
            group.addTask {
                for await (url, result) in ended.messages {
                    await self.finish(url, result).forEach { effects.send($0) }
                }
            }
            for await effect in effects.messages {
                switch effect {
                case .report(let url, let file): await loaded(url, file)
                case .load(let url): group.addTask { ended.send((url, await self.load(url))) }
                }
            }
            group.cancelAll()
        }
    }

    package nonisolated func pixels(of file: String) async -> PicturePixels? {
        await runBlocking {
            OwnFile(file, limit: PictureFile.limit)?.content.flatMap { PictureFile($0)?.pixels }
        } ?? nil
    }

    private func begin(_ url: PictureURL) -> [PictureRequests.Effect] { requests.request(url, now: .now) }

    private func finish(_ url: PictureURL, _ result: Result<String, PictureFailure>) -> [PictureRequests.Effect] {
        if case .failure(let failure) = result {
            logger.debug("no picture", metadata: ["reason": "\(failure.sentence)"])
        }
        return requests.finish(url, result, now: .now)
    }

    /// A picture that is not fresh is used if it cannot be loaded again.
    private func load(_ url: PictureURL) async -> Result<String, PictureFailure> {
        let cached = await runBlocking { [cache] in cache.find(url) } ?? nil
        if let cached, cached.isFresh { return .success(cached.path) }
        do throws(PictureFailure) {
            let decoder = try await preparedDecoder()
            let picture = try await decoder.decode(try await download.content(of: url), host: url.host)
            let stored = await runBlocking { [cache] in cache.store(PictureFile(picture), of: url) } ?? nil
            guard let path = stored else {
                throw PictureFailure(.everything, "Cannot write to \(cache.directory), where pictures are kept.")
            }
            return .success(path)
        } catch {
            return cached.map { .success($0.path) } ?? .failure(error)
        }
    }

    private func preparedDecoder() async throws(PictureFailure) -> PictureDecoder {
        if let decoder { return decoder }
        do throws(PictureDecoder.Problem) {
            let found = try await PictureDecoder.find(clock: clock)
            logger.debug("picture decoder", metadata: ["isolation": "\(found.mechanisms)"])
            decoder = found
            return found
        } catch {
            let reason =
                switch error {
                case .notInstalled: "is not installed"
                case .notConfined: "cannot give up files and network, which the system refuses"
                case .notWorking: "does not work"
                }
            let sentence = "popups have no pictures: \(PictureDecoder.program) \(reason)"
            if !hasReportedDecoder, !Task.isCancelled { logger.notice("\(sentence)") }
            hasReportedDecoder = true
            throw PictureFailure(.everything, sentence)
        }
    }
}
