import AgentTestSupport
import DBus
import FoundationEssentials
import Glibc
import Subprocess
import Synchronization
import TestSupport
import Testing

/// The built window on a display of its own, which a test reads as a screen reader does, and operates by its controls
/// and by keys.
struct WindowScreen: Sendable {
    /// Whether the window was built: it needs libadwaita.
    static var isBuilt: Bool {
        (try? Programs.directory).map { FileManager.default.isExecutableFile(atPath: $0 + "/feedbell-window") } ?? false
    }

    /// Whether the places of widgets are exact. Since GTK 4.10, they lack the margins and paddings around them.
    static let hasExactPlaces = olderGTK("GTK reports places without margins")

    /// Only with a GTK before 4.10, as of Debian 12.
    ///
    /// - Parameter reason: Why not with a newer one, beginning with "GTK reports" or "GTK needs".
    static func olderGTK(_ reason: Comment) -> ConditionTrait {
        .enabled(reason) {
            try await Programs.run("pkg-config", ["--atleast-version=4.10", "gtk4"]).status != .exited(0)
        }
    }

    /// Only with a GTK that has a role for what a row's name says.
    static let hasParagraphs: ConditionTrait = .enabled("GTK needs the role of paragraphs, which came with 4.14") {
        try await Programs.run("pkg-config", ["--atleast-version=4.14", "gtk4"]).status == .exited(0)
    }

    let program: RunningProgram
    let display: String
    private let bus: Bus
    private let reader: ScreenReader
    private let seen = Seen()

    private init(_ program: RunningProgram, _ display: String, _ bus: Bus) {
        (self.program, self.display, self.bus, reader) = (program, display, bus, ScreenReader(bus))
    }

    /// Runs the window beside `body`, on the test's bus. GTK's warnings end it.
    ///
    /// - Parameter size: That of the display.
    static func with(
        _ arguments: [String] = [],
        size: (width: Int, height: Int) = (640, 780),
        environment: [Environment.Key: String?] = [:],
        textScale: Double = 1,
        _ body: (WindowScreen) async throws -> Void
    ) async throws {
        try await TemporaryFile.with("") { file in
            let settings = file.directory + "/gtk-4.0"
            try FileManager.default.createDirectory(atPath: settings, withIntermediateDirectories: true)
            // As GNOME's default.
            let layout = "[Settings]\ngtk-decoration-layout=:close\n"
            try Data(layout.utf8).write(to: URL(filePath: settings + "/settings.ini"))
            let resolution = "Xft.dpi: \(Int(96 * textScale))\n"
            try Data(resolution.utf8).write(to: URL(filePath: file.directory + "/.Xdefaults"))
            try await VirtualDisplay.with(width: size.width, height: size.height) { display in
                let own: [Environment.Key: String?] = [
                    "DISPLAY": display, "WAYLAND_DISPLAY": nil, "HOME": file.directory,
                    "XDG_RUNTIME_DIR": file.directory, "XDG_CACHE_HOME": file.directory,
                    "XDG_CONFIG_HOME": file.directory, "GSK_RENDERER": "cairo",
                    "GDK_BACKEND": "x11", "GTK_A11Y": "atspi", "GSETTINGS_BACKEND": "memory",
                    // In the locale C there is no other language.
                    "LC_ALL": "C.UTF-8",
                    "G_DEBUG": "fatal-criticals", "SWIFT_BACKTRACE": "enable=no",
                ]
                try await withAccessibility(own) { bus in
                    let all = own.merging(environment) { $1 }
                    try await RunningProgram.with("feedbell-window", arguments, environment: all) { program in
                        let screen = WindowScreen(program, display, bus)
                        try await screen.wait { $0.contains { $0.role == "window" } }
                        // Without a window manager the window is active only if the pointer's entering was noticed.
                        try await screen.focus("Feedbell")
                        try await body(screen)
                    }
                }
            }
        }
    }

    private static func withAccessibility(
        _ environment: [Environment.Key: String?],
        _ body: (Bus) async throws -> Void
    ) async throws {
        let command = "exec /usr/libexec/at-spi-bus-launcher --launch-immediately"
        try await RunningProgram.with("sh", ["-c", command], environment: environment) { _ in
            let address = try await withBus { session in
                try await session.waitForOwner(of: AccessibilityBus.busName)
                return try await Proxy(session, AccessibilityBus.busName, AccessibilityBus.path)
                    .call(AccessibilityBus.getAddress)
            }
            try await withBus(to: address) { try await body($0) }
        }
    }

    // MARK: Reading

    /// What was read last.
    private final class Seen: Sendable {
        let elements = Mutex<[ScreenElement]>([])

        var description: String {
            "a screen with\n" + elements.withLock { $0.map(\.description).joined(separator: "\n") }
        }
    }

    /// Reads the screen again and again until `find` returns something.
    @discardableResult
    private func search<Result>(
        _ what: String,
        _ sourceLocation: SourceLocation,
        _ find: ([ScreenElement]) async throws -> Result?
    ) async throws -> Result {
        try await waiting(for: what, seen: { [seen] in seen.description }, sourceLocation: sourceLocation) {
            while true {
                if let result = try await find(elements()) { return result }
                try Task.checkCancellation()
                await reader.waitForChange()
            }
        }
    }

    /// All visible widgets.
    func elements() async throws -> [ScreenElement] {
        let elements = await reader.programs().flatMap { [$0] + $0.children.flatMap(\.all) }
        if !Task.isCancelled { seen.elements.withLock { $0 = elements } }
        return elements
    }

    /// Waits until the screen has what a test expects.
    @discardableResult
    func wait(
        sourceLocation: SourceLocation = #_sourceLocation,
        until fits: ([ScreenElement]) -> Bool
    ) async throws -> [ScreenElement] {
        try await search("another screen", sourceLocation) { fits($0) ? $0 : nil }
    }

    /// Waits until all visible widgets with names stay where and as they are, and returns all visible ones.
    @discardableResult
    func settled(sourceLocation: SourceLocation = #_sourceLocation) async throws -> [ScreenElement] {
        var elements: [ScreenElement] = []
        try await lasting("screen", sourceLocation: sourceLocation) {
            elements = try await self.elements()
            var states: [String] = []
            for element in elements where !element.name.isEmpty {
                let place = String(describing: try? await element.extents())
                states.append("\(element.name.prefix(40)) \(element.states) \(place)")
            }
            return states
        }
        return elements
    }

    /// Waits for a widget whose name contains a text.
    @discardableResult
    func wait(
        for text: String,
        role: String? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> ScreenElement {
        try await search("\(role ?? "a widget") \"\(text)\"", sourceLocation) { elements in
            elements.first { $0.name.contains(text) && (role == nil || $0.role == role) }
        }
    }

    /// Waits until no widget's name contains a text.
    func waitForNo(_ text: String, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        try await wait(sourceLocation: sourceLocation) { !$0.contains { $0.name.contains(text) } }
    }

    /// The names of the rows of the list.
    func rows() async throws -> [String] { try await elements().filter { $0.role == "list item" }.map(\.name) }

    /// Waits for this number of rows, and returns their names. Two readings have to be equal: one that is made while
    /// the list changes may have rows of before.
    @discardableResult
    func wait(rows count: Int, sourceLocation: SourceLocation = #_sourceLocation) async throws -> [String] {
        try await search("\(count) rows", sourceLocation) { elements in
            let names = elements.filter { $0.role == "list item" }.map(\.name)
            guard names.count == count, try await rows() == names else { return nil }
            return names
        }
    }

    /// The widget to which keys go; nil: there is none.
    func focused() async throws -> ScreenElement? {
        try await elements().first { $0.has(.active) }?.focused
    }

    /// Waits until keys have gone to a widget that fits for a second.
    @discardableResult
    func waitForFocus(
        sourceLocation: SourceLocation = #_sourceLocation,
        where fits: (ScreenElement) -> Bool
    ) async throws -> ScreenElement {
        try await wait(sourceLocation: sourceLocation) { $0.first { $0.has(.active) }?.focused.map(fits) == true }
        let later = try await lasting("focus", every: .milliseconds(250), sourceLocation: sourceLocation) {
            try await focused()
        }
        #expect(later.map(fits) == true, "the focus is at \(later?.description ?? "nothing")")
        return try #require(later)
    }

    /// Presses a key until a widget that fits has the focus. With GTK 4.18, an arrow key selects the row with the focus
    /// first if no row is selected.
    func key(
        _ key: String,
        sourceLocation: SourceLocation = #_sourceLocation,
        until fits: (ScreenElement) -> Bool
    ) async throws {
        try await search("another focus by \(key)", sourceLocation) { elements -> Bool? in
            let before = elements.first { $0.has(.active) }?.focused
            if before.map(fits) == true { return true }
            try await self.key(key)
            var focus = before
            // It may take seconds. One that has no effect is pressed again.
            for _ in 0..<5 where focus?.proxy.path == before?.proxy.path && focus?.states == before?.states {
                await reader.waitForChange()
                focus = try await focused()
            }
            return nil
        }
    }

    /// Waits until keys go to a row of the list.
    func waitForFocusedRow(sourceLocation: SourceLocation = #_sourceLocation) async throws {
        try await wait(sourceLocation: sourceLocation) { $0.contains { $0.role == "list item" && $0.has(.focused) } }
    }

    /// Waits until keys go to the entry of the search.
    func waitForFocusedEntry(sourceLocation: SourceLocation = #_sourceLocation) async throws {
        try await wait(sourceLocation: sourceLocation) { $0.contains { $0.role != "list item" && $0.has(.focused) } }
    }

    private final class Heard: Sendable {
        let texts = Mutex<[String]>([])
    }

    /// Waits until a screen reader is given a text to say that contains this one. GTK can announce texts since 4.14;
    /// before, they are the description of the widget with the focus. The name of a row that gets the focus has them,
    /// too.
    func hear(
        _ text: String,
        sourceLocation: SourceLocation = #_sourceLocation,
        after body: () async throws -> Void
    ) async throws {
        let rule = MatchRule(interface: AccessibleEvents.name, member: "Announcement")
        let announcements = try await bus.signals(matching: rule)
        try await Proxy(bus, AccessibleRegistry.busName, AccessibleRegistry.path)
            .call(AccessibleRegistry.registerEvent, "object:announcement")
        let heard = Heard()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                for await signal in announcements {
                    guard let event = try? AccessibleEvents.announcement.decode(signal),
                        case .string(let text) = event.3
                    else { continue }
                    heard.texts.withLock { $0.append(text) }
                }
            }
            try await body()
            try await waiting(
                for: "\"\(text)\" to be said",
                every: .milliseconds(100),
                sourceLocation: sourceLocation,
                seeing: {
                    let focus = try await focused()
                    // A widget that has gone meanwhile has none.
                    let description = (try? await focus?.proxy.get(Accessible.description)) ?? ""
                    return heard.texts.withLock { $0 } + [focus?.name ?? "", description]
                },
                until: { $0.contains { $0.contains(text) } }
            )
            group.cancelAll()
        }
    }

    private final class Focused: Sendable {
        let widgets = Mutex<[(program: BusName, path: ObjectPath)]>([])
    }

    /// The widgets that get the focus meanwhile, as a screen reader is told of them.
    func focusEvents(during body: () async throws -> Void) async throws -> [ScreenElement] {
        let rule = MatchRule(interface: AccessibleEvents.name, member: "StateChanged")
        let changes = try await bus.signals(matching: rule)
        try await Proxy(bus, AccessibleRegistry.busName, AccessibleRegistry.path)
            .call(AccessibleRegistry.registerEvent, "object:state-changed:focused")
        let focused = Focused()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                for await signal in changes {
                    guard let event = try? AccessibleEvents.stateChanged.decode(signal), event.0 == "focused",
                        event.1 == 1, let program = signal.sender, let path = signal.path
                    else { continue }
                    focused.widgets.withLock { $0.append((program, path)) }
                }
            }
            try await body()
            group.cancelAll()
        }
        var elements: [ScreenElement] = []
        for (program, path) in focused.widgets.withLock({ $0 }) {
            if let element = try await reader.widget(of: program, at: path) { elements.append(element) }
        }
        return elements
    }

    // MARK: Operating

    /// Presses the control with this name when it is there.
    ///
    /// - Parameter fits: Whether the screen has already what the control is for.
    func press(
        _ name: String,
        sourceLocation: SourceLocation = #_sourceLocation,
        unless fits: ([ScreenElement]) -> Bool = { _ in false }
    ) async throws {
        try await operate(name, roles: ["button", "toggle button"], sourceLocation, unless: fits)
    }

    /// Chooses the item of the open menu with this name.
    func choose(_ name: String, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        try await operate(name, roles: ["menu item", "check menu item", "radio menu item"], sourceLocation)
    }

    /// Answers a question with the button of this name.
    func answer(_ name: String, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        // The libadwaita of Debian 12 names them by two labels, one for narrow and one for wide windows.
        try await search("a button \(name)", sourceLocation) { elements -> Bool? in
            let buttons = elements.filter { $0.role.contains("button") }
            let button = buttons.first { $0.name == "\(name) \(name)" } ?? buttons.last { $0.name == name }
            return try await button?.press() == true ? true : nil
        }
    }

    /// Opens the page of the preferences with this title.
    func openPage(_ title: String, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        try await operate(title, roles: ["tab"], sourceLocation)
    }

    private func operate(
        _ name: String,
        roles: Set<String>,
        _ sourceLocation: SourceLocation,
        unless fits: ([ScreenElement]) -> Bool = { _ in false }
    ) async throws {
        try await search("\(roles) \(name)", sourceLocation) { elements -> Bool? in
            if fits(elements) { return true }
            let button = elements.first { $0.name == name && roles.contains($0.role) }
            // One that goes meanwhile may have a successor.
            return try await button?.press() == true ? true : nil
        }
    }

    /// Switches a switch.
    func toggle(_ name: String) async throws {
        func find(_ elements: [ScreenElement]) -> ScreenElement? { elements.first { $0.isSwitch && $0.name == name } }
        let element = find(try await wait { find($0) != nil })
        #expect(try await element?.press() == true, "\(name) cannot be switched")
    }

    /// Unfolds the rows below a row.
    func expand(_ name: String) async throws { try await activate(name) }

    /// Gives a row the keys, and presses Enter.
    func activate(_ name: String) async throws {
        try await wait(for: name)
        try await search("a row \(name) with the focus", #_sourceLocation) { elements -> Bool? in
            if elements.contains(where: { $0.name == name && $0.role == "list item" && $0.has(.focused) }) {
                return true
            }
            try await key("Tab")
            return nil
        }
        try await key("Return")
    }

    /// Replaces the text of the entry with this name.
    func fill(_ name: String, _ text: String) async throws {
        let entry = try await wait(for: name, role: "text box")
        #expect(try await entry.proxy.call(AccessibleEntry.setText, text))
    }

    /// The place of a widget in its window, once it has one and no longer moves: x, y, width and height.
    func place(of element: ScreenElement) async throws -> Structure<Int32, Int32, Int32, Int32> {
        try await lasting("place of \(element.name)", readings: 4) {
            try await element.proxy.call(AccessibleComponent.getExtents, 1)
        } where: {
            $0.elements.3 > 0
        }
    }

    /// Clicks with the pointer on a widget of a window at the edge of the screen.
    func click(_ element: ScreenElement) async throws { try await point(at: element, ["click", "1"]) }

    func doubleClick(_ element: ScreenElement) async throws {
        try await point(at: element, ["click", "--repeat", "2", "--delay", "80", "1"])
    }

    func movePointer(to element: ScreenElement) async throws { try await point(at: element, []) }

    /// Moves the pointer to a corner, where no window is. Without a window manager, a window of GTK 4.18 that is shown
    /// again gets no focus if the pointer was in it when it was closed.
    func movePointerAway() async throws { try await run("xdotool", ["mousemove", "10000", "10000"]) }

    private func point(at element: ScreenElement, _ actions: [String]) async throws {
        let (x, y, width, height) = try await place(of: element).elements
        // A place that is not exact is up to 20 pixels too high.
        try await run("xdotool", ["mousemove", "\(x + width / 2)", "\(y + height - height / 8)"] + actions)
    }

    /// Presses keys, named as xdotool names them.
    func key(_ keys: String...) async throws { try await useKeyboard(["key", "--delay", "30"] + keys) }

    /// Holds a key for as long as it is repeated this often, by a keyboard that does so fifty times a second.
    func hold(_ key: String, times: Int) async throws {
        try await useKeyboard(["key", "--repeat", "\(times)", "--delay", "20", key])
    }

    func type(_ text: String) async throws { try await useKeyboard(["type", "--delay", "30", text]) }

    /// Presses keys as fast as a person after what was seen. GTK loses a key in the frame in which the focus moves.
    private func useKeyboard(_ arguments: [String]) async throws {
        try await Task.sleep(for: .milliseconds(150))
        try await run("xdotool", arguments)
    }

    /// Makes the window this large, and waits until it is that wide, without its edge of 19 pixels at most.
    func resize(width: Int, height: Int) async throws {
        try await operateWindow("Feedbell", "windowsize", "--sync", "\(width)", "\(height)")
        let window = try await wait(for: "Feedbell", role: "window")
        try await waiting(for: "a window of \(width) pixels") {
            Int(try await place(of: window).elements.2)
        } until: {
            (width - 19...width).contains($0)
        }
    }

    /// The smallest height of the window, as it tells the window manager.
    func minimumHeight() async throws -> Int {
        let display: [Environment.Key: String?] = ["DISPLAY": display]
        let search = ["search", "--onlyvisible", "--name", "Feedbell"]
        let window = try await Programs.output("xdotool", search, environment: display).prefix { $0 != "\n" }
        let hints = try await Programs.output("xprop", ["-id", "\(window)", "WM_NORMAL_HINTS"], environment: display)
        let line = try #require(hints.split(separator: "\n").first { $0.contains("minimum size") }, "\(hints)")
        return try #require(line.split(separator: " ").last.flatMap { Int($0) })
    }

    /// Keeps a picture of the screen, for people.
    func keepPicture(_ name: String) async throws {
        guard let directory = ProcessInfo.processInfo.environment["FEEDBELL_TEST_ARTIFACTS"] else { return }
        try await run("import", ["-window", "root", "\(directory)/window-\(name).png"])
    }

    /// The number of pixels on the screen that have this color, or nearly: backgrounds of libadwaita differ a little.
    func pixels(of color: String) async throws -> Int {
        try await TemporaryFile.with("") { file in
            let path = file.directory + "/screen.png"
            try await run("import", ["-window", "root", path])
            let near = ["-fuzz", "1%"]
            let count = near + ["-fill", "black", "+opaque", color, "-fill", "white", "-opaque", color]
            let outcome = try await Programs.run("convert", [path] + count + ["-format", "%[fx:w*h*mean]", "info:"])
            #expect(outcome.status == .exited(0), "\(outcome.errors)")
            return try #require(Double(outcome.output).map { Int($0.rounded()) })
        }
    }

    /// The memory that the program has for itself, in kB.
    var memory: Int {
        get throws {
            let path = "/proc/\(program.processID)/smaps_rollup"
            let text = String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self)
            let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("Anonymous:") })
            return try #require(line.split(separator: " ").dropFirst().first.flatMap { Int($0) })
        }
    }

    /// How often the program's main thread has waited so far.
    var wakeUps: Int {
        get throws {
            let path = "/proc/\(program.processID)/status"
            let text = String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self)
            let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("voluntary_ctxt_switches") })
            return try #require(line.split(separator: "\t").last.flatMap { Int($0) })
        }
    }

    /// The processor time of the program so far, in ticks of the clock.
    var processorTime: Int {
        get throws {
            let path = "/proc/\(program.processID)/stat"
            let text = String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self)
            // After the name, which may have spaces; its second field is 12 fields before the user time.
            let fields = try #require(text.split(separator: ")").last).split(separator: " ")
            return try #require(Int(fields[11])) + #require(Int(fields[12]))
        }
    }

    /// Closes the window, and waits for the end of the program.
    func close() async throws {
        try await key("ctrl+w")
        await program.ended()
    }

    /// Gives the keys to another window of the program.
    func focus(_ title: String) async throws { try await operateWindow(title, "windowfocus", "--sync") }

    /// Does to a window what xdotool's arguments say.
    private func operateWindow(_ title: String, _ arguments: String...) async throws {
        try await run("xdotool", ["search", "--sync", "--onlyvisible", "--name", title] + arguments)
    }

    private func run(_ name: String, _ arguments: [String]) async throws {
        let outcome = try await Programs.run(name, arguments, environment: ["DISPLAY": display])
        try #require(outcome.status == .exited(0), "\(name): \(outcome.errors)")
    }
}
