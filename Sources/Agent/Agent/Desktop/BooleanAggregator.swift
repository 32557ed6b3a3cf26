import Basics
import Logging

/// The logical OR of several boolean sources.
struct BooleanAggregator: Sendable {
    /// Reports its first value and every change. A source that ends counts as false.
    typealias Source = @Sendable (_ report: @escaping @Sendable (Bool) -> Void) async -> Void

    let sources: [Source]

    /// The state of a service as a source; without an answer it is false.
    static func source(_ state: FollowedState<Bool>, _ logger: Logger) -> Source {
        { report in
            do { try await state.run { report($0 == true) } } catch {
                logger.debug(
                    "cannot follow a service",
                    metadata: ["name": "\(state.owner)", "error": "\(error)"]
                )
            }
        }
    }

    /// Reports every change of the result until the sources end or the task is cancelled. The result is false at first,
    /// which is not reported.
    func run(_ receive: (Bool) async -> Void) async {
        let reports = Mailbox<(source: Int, isTrue: Bool)>()
        await withDiscardingTaskGroup { group in
            group.addTask {
                await withDiscardingTaskGroup { group in
                    for (number, source) in sources.enumerated() {
                        group.addTask {
                            await source { reports.send((number, $0)) }
                            reports.send((number, false))
                        }
                    }
                }
                reports.close()
            }
            var trueSources: Set<Int> = []
            var lastReported = false
            for await (source, isTrue) in reports.messages {
                if isTrue { trueSources.insert(source) } else { trueSources.remove(source) }
                guard lastReported == trueSources.isEmpty else { continue }
                lastReported.toggle()
                await receive(lastReported)
            }
            group.cancelAll()
        }
    }
}
