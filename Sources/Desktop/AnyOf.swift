import Logging

/// Sources that each say yes or no, and whether one of them says yes.
struct AnyOf: Sendable {
    /// Says what is the case at first, and what it changes to. One that ends says no.
    typealias Source = @Sendable (_ say: @escaping @Sendable (Bool) -> Void) async -> Void

    let sources: [Source]

    /// What a service says; no answer is a no.
    static func source(_ state: FollowedState<Bool>, _ logger: Logger) -> Source {
        { say in
            do { try await state.run { say($0 == true) } } catch {
                logger.debug(
                    "a service is no longer followed",
                    metadata: ["name": "\(state.owner)", "error": "\(error)"]
                )
            }
        }
    }

    /// Tells every change, beginning with "no" untold, until the sources end or the task is cancelled.
    func run(_ receive: (Bool) async -> Void) async {
        let (answers, answer) = AsyncStream.makeStream(of: (Int, Bool).self)
        await withDiscardingTaskGroup { group in
            group.addTask {
                await withDiscardingTaskGroup { group in
                    for (number, source) in sources.enumerated() {
                        group.addTask {
                            await source { answer.yield((number, $0)) }
                            answer.yield((number, false))
                        }
                    }
                }
                answer.finish()
            }
            var yes: Set<Int> = []
            var told = false
            for await (number, isYes) in answers {
                if isYes { yes.insert(number) } else { yes.remove(number) }
                guard told == yes.isEmpty else { continue }
                told.toggle()
                await receive(told)
            }
            group.cancelAll()
        }
    }
}
