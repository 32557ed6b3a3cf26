/// Runs `body` in a child task and returns its result.
///
/// A task keeps the memory that its deepest call needed until it ends. One that then only waits, for hours, makes such
/// a call in a child task.
package func inChildTask<Output: Sendable>(_ body: @escaping @Sendable () async -> Output) async -> Output {
    await withTaskGroup(of: Output.self) { group in
        group.addTask { await body() }
        guard let output = await group.next() else { preconditionFailure("the group has one task") }
        return output
    }
}
