/// The events of a page in their order. GTK sends some while widgets are changed: they wait until that is done.
final class PageEvents<Event> {
    private var waiting: [Event] = []
    private var isHandling = false

    /// - Parameter handle: Gets all events that wait. Not called again before it returns.
    func receive(_ event: Event, _ handle: ([Event]) -> Void) {
        waiting.append(event)
        guard !isHandling else { return }
        isHandling = true
        defer { isHandling = false }
        while !waiting.isEmpty {
            let events = waiting
            waiting = []
            handle(events)
        }
    }

    /// Passes an event to a page, shows the page, and performs its effects.
    ///
    /// - Parameter change: Passes one event to the page. Returns its effects.
    func receive<Effect>(
        _ event: Event,
        _ change: (Event) -> [Effect],
        render: () -> Void,
        perform: (Effect) -> Void
    ) {
        receive(event) { events in
            let effects = events.flatMap(change)
            render()
            for effect in effects { perform(effect) }
        }
    }
}
