import AgentTestSupport
import FoundationEssentials
import Subprocess
import TestSupport
import Testing

/// A screen with places for status bars. The bar at place 0 is the one under test; the bar at each further place always
/// shows one of `expected`, so two equal pictures prove what the bar under test shows.
struct BarScreen {
    static let (width, height) = (300, 24)

    let expected: [String]
    /// Files that belong to the screen.
    let directory: String
    /// Draws a place into a file.
    private let draw: (Int, String) async throws -> Void

    /// - Parameter bars: Runs its argument beside all bars.
    static func with(
        expected: [String],
        in directory: String,
        draw: @escaping (Int, String) async throws -> Void,
        bars: (@escaping () async throws -> Void) async throws -> Void,
        _ body: @escaping (BarScreen) async throws -> Void
    ) async throws {
        let screen = BarScreen(expected: expected, directory: directory, draw: draw)
        let bare = try await screen.picture(0)
        try await bars {
            try await screen.waitForExpected(bare)
            try await body(screen)
        }
    }

    /// Waits until every bar with an expected text is there and has drawn it.
    private func waitForExpected(_ bare: Data) async throws {
        #expect(expected.contains(" "), "a bar without a text shows when the others have drawn theirs")
        try await waiting(for: "\(expected.count) bars that differ", every: .milliseconds(50)) {
            var pictures: Set = [bare]
            for place in expected.indices { pictures.insert(try await picture(place + 1)) }
            return pictures.count - 1
        } until: {
            $0 == expected.count
        }
    }

    /// Waits until the bar under test shows this text, and keeps the picture under the name.
    func shows(_ text: String, keptAs name: String) async throws {
        let place = try #require(expected.firstIndex(of: text)) + 1
        try await waiting(for: "a bar with \(text)", every: .milliseconds(50)) {
            try await picture(0) == picture(place)
        }
        guard let artifacts = ProcessInfo.processInfo.environment["FEEDBELL_TEST_ARTIFACTS"] else { return }
        try await Self.run("convert", [directory + "/0.ppm", "\(artifacts)/\(name).png"])
    }

    private func picture(_ place: Int) async throws -> Data {
        let file = "\(directory)/\(place).ppm"
        try await draw(place, file)
        return try Data(contentsOf: URL(filePath: file))
    }

    private static func run(
        _ program: String,
        _ arguments: [String],
        _ environment: [Environment.Key: String?] = [:]
    ) async throws {
        let outcome = try await Programs.run(program, arguments, environment: environment)
        try #require(outcome.status == .exited(0), "\(program): \(outcome.errors)")
    }

    private static func write(_ text: String, _ file: String) throws {
        try Data(text.utf8).write(to: URL(filePath: file))
    }
}

extension BarScreen {
    /// The real waybar in a compositor without a display, with a module's configuration.
    static func waybar(_ module: String, expected: [String], _ body: @escaping (BarScreen) async throws -> Void)
        async throws
    {
        let start =
            "xwayland disable\noutput * resolution \(width)x\(height * 2)\nexec echo \"display=$WAYLAND_DISPLAY\"\n"
        try await TemporaryFile.with(start, named: "sway.conf") { file in
            let directory = file.directory
            try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: directory)
            var environment: [Environment.Key: String?] = [
                "HOME": directory, "XDG_RUNTIME_DIR": directory, "DISPLAY": nil, "WAYLAND_DISPLAY": nil,
                "NO_AT_BRIDGE": "1", "WLR_BACKENDS": "headless", "WLR_RENDERER": "pixman",
                "WLR_LIBINPUT_NO_DEVICES": "1", "WLR_HEADLESS_OUTPUTS": "\(expected.count + 1)",
            ]
            try await RunningProgram.with("sway", ["-c", file.path], environment: environment) { sway in
                environment["WAYLAND_DISPLAY"] = try await sway.wait(for: "display=").split(separator: "=").last.map(
                    String.init
                )
                try write(waybarConfiguration(module, expected), directory + "/config")
                let style =
                    "* { font-family: 'DejaVu Sans'; font-size: 14px; border: none; min-height: 0; }\n"
                    + "window { background: #203040; color: white; }\n"
                try write(style, directory + "/style.css")
                let options = ["-c", directory + "/config", "-s", directory + "/style.css"]
                try await with(expected: expected, in: directory) { [environment] place, picture in
                    try await run("grim", ["-t", "ppm", "-o", "HEADLESS-\(place + 1)", picture], environment)
                } bars: { [environment] body in
                    try await RunningProgram.with("waybar", options, environment: environment) { _ in try await body() }
                } _: {
                    try await body($0)
                }
            }
        }
    }

    private static func waybarConfiguration(_ module: String, _ expected: [String]) -> String {
        func bar(_ place: Int, _ module: String, _ text: String) -> String {
            """
            {
                "output": "HEADLESS-\(place + 1)", "layer": "top", "height": \(height),
                "modules-left": ["custom/\(module)"],
            \(text)
            }
            """
        }
        let others = expected.enumerated().map { place, text in
            bar(place + 1, "expected", "\"custom/expected\": {\"format\": \"\(text)\"}")
        }
        return "[\(([bar(0, "feedbell", module)] + others).joined(separator: ",\n"))]\n"
    }

    /// The real polybar in an X server without a display, with a module's configuration.
    static func polybar(_ module: String, expected: [String], _ body: @escaping (BarScreen) async throws -> Void)
        async throws
    {
        let gap = height + 6
        try await TemporaryFile.with(polybarConfiguration(module, expected, gap), named: "config.ini") { file in
            try await VirtualDisplay.with(width: width, height: gap * (expected.count + 1)) { display in
                let environment: [Environment.Key: String?] = [
                    "HOME": file.directory, "XDG_RUNTIME_DIR": file.directory, "DISPLAY": display,
                ]
                func run(_ bars: ArraySlice<Int>, _ body: @escaping () async throws -> Void) async throws {
                    guard let place = bars.first else { return try await body() }
                    try await RunningProgram.with(
                        "polybar",
                        ["-c", file.path, "place-\(place)"],
                        environment: environment
                    ) { _ in
                        try await run(bars.dropFirst(), body)
                    }
                }
                try await with(expected: expected, in: file.directory) { place, picture in
                    let area = "\(width)x\(height)+0+\(gap * place)"
                    try await self.run("import", ["-window", "root", "-crop", area, "+repage", picture], environment)
                } bars: { body in
                    try await run(Array(0...expected.count)[...], body)
                } _: {
                    try await body($0)
                }
            }
        }
    }

    private static func polybarConfiguration(_ module: String, _ expected: [String], _ gap: Int) -> String {
        func bar(_ place: Int, _ module: String) -> String {
            """
            [bar/place-\(place)]
            width = \(width)
            height = \(height)
            offset-y = \(gap * place)
            override-redirect = true
            background = #203040
            foreground = #ffffff
            font-0 = DejaVu Sans:size=10
            modules-left = \(module)

            """
        }
        let others = expected.enumerated().map { place, text in
            bar(place + 1, "expected-\(place)")
                + "[module/expected-\(place)]\ntype = custom/text\ncontent = \"\(text)\"\n"
        }
        return module + "\n" + bar(0, "feedbell") + others.joined()
    }
}
