// swift-tools-version: 6.2
import Foundation
import PackageDescription

let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .treatAllWarnings(as: .error),
]
// For code that runs once for an event: it is rarely in the processor's caches. Compiled for speed, the command is
// 0.25 MB larger, and a notification takes 4 to 6 % more processor time.
let settingsForSize = settings + [.unsafeFlags(["-Osize"], .when(configuration: .release))]

extension Target {
    /// A library in Swift, of which the programs consist.
    static func module(
        _ name: String,
        in directory: String,
        _ dependencies: [Dependency] = [],
        _ swiftSettings: [SwiftSetting] = settings
    ) -> Target {
        .target(
            name: name,
            dependencies: dependencies,
            path: "\(directory)/\(name)",
            swiftSettings: swiftSettings
        )
    }

    static func program(
        _ name: String,
        in directory: String,
        _ dependencies: [Dependency],
        _ swiftSettings: [SwiftSetting] = settings
    ) -> Target {
        .executableTarget(
            name: name,
            dependencies: dependencies,
            path: "\(directory)/\(name)",
            swiftSettings: swiftSettings
        )
    }

    static func tests(
        _ name: String,
        _ dependencies: [Dependency],
        exclude: [String] = [],
        resources: [Resource]? = nil
    ) -> Target {
        .testTarget(
            name: name,
            dependencies: dependencies,
            exclude: exclude,
            resources: resources,
            swiftSettings: settings
        )
    }
}

let nio: [Target.Dependency] = [
    .product(name: "NIOCore", package: "swift-nio"),
    .product(name: "NIOPosix", package: "swift-nio"),
    .product(name: "NIOHTTP1", package: "swift-nio"),
    .product(name: "NIOWebSocket", package: "swift-nio"),
]
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
// For dependencies that only programs and tests need. A user of a library who names no trait (traits: []) does not
// resolve them.
let forPrograms = TargetDependencyCondition.when(traits: ["Programs"])
let argumentParser = Target.Dependency.product(
    name: "ArgumentParser",
    package: "swift-argument-parser",
    condition: forPrograms
)
let subprocess = Target.Dependency.product(
    name: "Subprocess",
    package: "swift-subprocess",
    condition: forPrograms
)

let package = Package(
    name: "feedbell",
    products: [
        .library(name: "SuprSend", targets: ["SuprSend"]),
        .library(name: "MagicBell", targets: ["MagicBell"]),
        .executable(name: "feedbell-agent", targets: ["feedbell-agent"]),
        .executable(name: "feedbell-picture", targets: ["feedbell-picture"]),
        .executable(name: "feedbell", targets: ["feedbell"]),
        .executable(name: "feedbell-sandbox", targets: ["feedbell-sandbox"]),
    ],
    traits: [
        .default(enabledTraits: ["Programs"]),
        .trait(name: "Programs", description: "The agent, the command and the sandbox, besides the libraries."),
    ],
    // The libraries need ranges, so that a program that uses them can choose a version: each begins with the minor
    // version that is tested. packaging/build/dependencies has the versions that CI builds.
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.0"),
        // Without its default trait: that one links full Foundation (design: FoundationEssentials only).
        .package(url: "https://github.com/swiftlang/swift-subprocess", exact: "1.0.2", traits: []),
    ],
    targets: [
        // Text, time and waiting, for all targets
        .module("Basics", in: "Sources/Common"),

        .systemLibrary(name: "CLinux", path: "Sources/Common/CLinux"),
        .module("ChildProgram", in: "Sources/Common", ["Basics", "CLinux"], settingsForSize),

        // D-Bus, programs and their loops
        .systemLibrary(
            name: "CDBus",
            path: "Sources/Bus/CDBus",
            pkgConfig: "dbus-1",
            providers: [.apt(["libdbus-1-dev"])]
        ),
        .module("DBus", in: "Sources/Bus", ["Basics", "CDBus", "CLinux"], settingsForSize),
        .module("FileWatching", in: "Sources/Bus", ["Basics", "CLinux", "DBus"]),
        .module("ProgramLoop", in: "Sources/Bus", ["DBus"]),

        // The user's language
        .module("VisibleText", in: "Sources/Common", ["Basics", "CLinux"]),
        .module("Translation", in: "Sources/Common", ["CLinux", "VisibleText"], settingsForSize),

        // Services
        .module("ClientKit", in: "Sources/Clients", ["Basics", logging]),
        .module("SocketIO", in: "Sources/Clients", ["Basics", "ClientKit"]),
        .module(
            "Transport",
            in: "Sources/Clients",
            nio + [
                "Basics", "ClientKit", logging, .product(name: "NIOHTTPCompression", package: "swift-nio-extras"),
                .product(name: "NIOSOCKS", package: "swift-nio-extras"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ]
        ),
        .module("SuprSend", in: "Sources/Clients", ["Basics", "ClientKit", "SocketIO", "Transport", logging]),
        .module("Ably", in: "Sources/Clients", ["Basics", "ClientKit"]),
        .target(
            name: "CSHA256",
            dependencies: [.product(name: "NIOSSL", package: "swift-nio-ssl")],
            path: "Sources/Clients/CSHA256"
        ),
        .module("MagicBell", in: "Sources/Clients", ["Ably", "Basics", "CSHA256", "ClientKit", "Transport", logging]),

        .module(
            "OAuth",
            in: "Sources/Clients",
            [
                .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"), "Basics", "CSHA256", "ClientKit", "Translation",
                "Transport",
            ]
        ),

        // The agent
        .systemLibrary(
            name: "CPCRE2",
            path: "Sources/Agent/CPCRE2",
            pkgConfig: "libpcre2-8",
            providers: [.apt(["libpcre2-dev"])]
        ),
        .module("Inbox", in: "Sources/Agent", ["Basics", "CPCRE2", "Translation", "VisibleText"]),
        .target(
            name: "CSecretCipher",
            dependencies: [.product(name: "NIOSSL", package: "swift-nio-ssl")],
            path: "Sources/Agent/CSecretCipher"
        ),
        .module(
            "Desktop",
            in: "Sources/Agent",
            ["Basics", "ChildProgram", "CSecretCipher", "CLinux", "DBus", "FileWatching", logging]
        ),
        .module("AgentInterface", in: "Sources/Bus", ["DBus"], settingsForSize),
        .module(
            "InboxClient",
            in: "Sources/Bus",
            ["AgentInterface", "Basics", "DBus", "Translation", "VisibleText"],
            settingsForSize
        ),
        .target(name: "CTOML", path: "Sources/Agent/CTOML"),
        .systemLibrary(
            name: "CSQLite",
            path: "Sources/Agent/CSQLite",
            pkgConfig: "sqlite3",
            providers: [.apt(["libsqlite3-dev"])]
        ),
        .module("Store", in: "Sources/Agent", ["Basics", "CLinux", "CSQLite", "Inbox"]),
        .module("Pictures", in: "Sources/Agent", ["Basics", "CSHA256", "ChildProgram", "Inbox", "Transport", logging]),
        // In C: before it reads a picture, it gives up every system call that it does not need, and the runtime of
        // Swift would need more of them. No pkg-config: giflib has no file for it.
        .executableTarget(
            name: "feedbell-picture",
            path: "Sources/Agent/feedbell-picture",
            cSettings: [
                .define("_FORTIFY_SOURCE", to: "2", .when(configuration: .release)),
                .unsafeFlags(["-fstack-protector-strong"]),
            ],
            linkerSettings: ["png", "jpeg", "gif", "webpdemux", "webp"].map { .linkedLibrary($0) }
        ),
        .module(
            "ServiceKit",
            in: "Sources/Agent",
            [
                .product(name: "NIOCore", package: "swift-nio"), "AgentInterface", "Basics", "ChildProgram",
                "ClientKit", "CTOML", "Desktop", "Inbox", "OAuth", "Translation", "Transport", logging,
            ]
        ),
        .module(
            "Services",
            in: "Sources/Agent",
            [
                "AgentInterface", "Basics", "ClientKit", "Inbox", "MagicBell", "ServiceKit", "SuprSend", "Translation",
                "Transport", logging,
            ]
        ),
        .module(
            "Agent",
            in: "Sources/Agent",
            [
                "AgentInterface", "Basics", "DBus", "Desktop", "FileWatching", "Inbox", "OAuth", "ServiceKit", "Store",
                "Translation", "VisibleText", logging,
            ]
        ),
        .module("ServiceOptions", in: "Sources/Command", ["AgentInterface", argumentParser], settingsForSize),
        .module(
            "AgentCommands",
            in: "Sources/Command",
            ["AgentInterface", "ChildProgram", "Translation", "VisibleText"],
            settingsForSize
        ),
        .program(
            "feedbell-agent",
            in: "Sources/Agent",
            [
                "Agent", "AgentInterface", "Basics", "CLinux", "ChildProgram", "DBus", "Desktop", "Inbox", "Pictures",
                "ProgramLoop", "ServiceKit", "ServiceOptions", "Services", "Store", "Translation", "Transport",
                "VisibleText", argumentParser, logging, .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ]
        ),
        .program(
            "feedbell",
            in: "Sources/Command",
            [
                "AgentCommands", "AgentInterface", "Basics", "ChildProgram", "CLinux", "DBus", "FileWatching",
                "InboxClient", "ProgramLoop", "ServiceOptions", "Translation", "VisibleText", argumentParser,
            ],
            settingsForSize
        ),

        // The window: what it shows and requests, without GTK. The program is below.
        .module(
            "Window",
            in: "Sources/Window",
            [
                "AgentCommands", "AgentInterface", "Basics", "DBus", "InboxClient", "Translation", "VisibleText",
                argumentParser,
            ]
        ),

        // The stand-in for the services and for a notification server: for the demo and for tests
        .module("Sandbox", in: "Sources/Simulation", nio + ["Basics"]),
        .module("NotificationTerminal", in: "Sources/Simulation", ["Basics", "DBus", "VisibleText"]),
        .program(
            "feedbell-sandbox",
            in: "Sources/Simulation",
            ["Sandbox", "NotificationTerminal", "DBus", "VisibleText", argumentParser]
        ),

        // Tests
        .module("SeededRandom", in: "Tests"),
        .module(
            "TestSupport",
            in: "Tests",
            [
                "Basics", "ClientKit", "DBus", "Sandbox", "SeededRandom", subprocess,
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ] + nio
        ),
        .module("ServiceModels", in: "Tests", ["Basics", "ClientKit", "MagicBell", "SuprSend"]),
        .tests(
            "SimulationTests",
            [
                "Agent", "AgentInterface", "Basics", "ClientKit", "DBus", "Inbox", "InboxClient", "MagicBell",
                "ServiceKit", "ServiceModels", "Services", "SuprSend", "TestSupport",
            ]
        ),
        .tests("DBusTests", ["Basics", "DBus", "TestSupport", subprocess]),
        .tests(
            "NetworkLoopTests",
            ["AgentInterface", "Basics", "CLinux", "DBus", "Pictures", "TestSupport", "feedbell-agent"]
        ),
        .tests("NotificationTerminalTests", ["NotificationTerminal", "DBus", "TestSupport"]),
        .tests("ClientKitTests", ["Basics", "CLinux", "ClientKit", "FleetSimulation", "SeededRandom", "TestSupport"]),
        .tests("SocketIOTests", ["Basics", "ClientKit", "SocketIO", "TestSupport"], resources: [.copy("Transcripts")]),
        .tests(
            "TransportTests",
            nio + [
                "Basics", "Transport", "TestSupport", logging,
                .product(name: "NIOHTTPCompression", package: "swift-nio-extras"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ]
        ),
        .tests(
            "OAuthTests",
            [
                .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOPosix", package: "swift-nio"),
                "Basics", "ClientKit", "OAuth", "TestSupport", "Transport", logging,
            ],
            exclude: ["StockServer/server.py"]
        ),
        .tests(
            "SuprSendTests",
            [
                "Basics", "ClientKit", "SuprSend", "ServiceModels", "SocketIO", "Transport", "Sandbox", "TestSupport",
                logging, subprocess,
            ],
            exclude: ["StockServer/server.py"]
        ),
        .tests("AblyTests", ["Ably", "Basics", "ClientKit", "TestSupport"], resources: [.copy("Transcripts")]),
        .tests(
            "MagicBellTests",
            [
                "Ably", "Basics", "ClientKit", "MagicBell", "Sandbox", "ServiceModels", "TestSupport", "Transport",
                logging,
            ]
        ),
        .tests("SandboxTests", nio + ["Sandbox", "TestSupport", subprocess]),
        .tests("InboxTests", ["Basics", "Inbox", "TestSupport", "VisibleText"]),
        .tests("TranslationTests", ["TestSupport", "Translation", "VisibleText", subprocess]),
        .tests(
            "PicturesTests",
            nio + ["Basics", "Inbox", "Pictures", "TestSupport", "Transport", logging, subprocess]
        ),
        .module("FakeSecretService", in: "Tests", ["DBus", "Desktop"]),
        .tests("StoreTests", ["Basics", "CSQLite", "Inbox", "Store", "TestSupport"]),
        .tests(
            "DesktopTests",
            ["Basics", "ChildProgram", "Desktop", "DBus", "FakeSecretService", "FileWatching", "TestSupport", logging]
        ),
        .tests(
            "AgentTests",
            [
                "Agent", "AgentInterface", "Basics", "ChildProgram", "DBus", "Desktop", "FakeSecretService", "Inbox",
                "InboxClient", "NotificationTerminal", "Sandbox", "ServiceKit", "Services", "Store", "SuprSend",
                "TestSupport", "Transport", "VisibleText", "Window", logging, subprocess,
            ],
            exclude: ["Clients", "Snapshots"]
        ),
        .tests(
            "ServicesTests",
            [
                "Agent", "AgentInterface", "Basics", "ClientKit", "DBus", "Desktop", "Inbox", "MagicBell", "Sandbox",
                "ServiceKit", "ServiceModels", "ServiceOptions", "Services", "Store", "TestSupport", "Transport",
                argumentParser, logging,
            ]
        ),
        .tests(
            "CommandTests",
            [
                "feedbell", "AgentCommands", "AgentInterface", "Basics", "ChildProgram", "DBus", "InboxClient",
                "TestSupport", "VisibleText", argumentParser,
            ],
            exclude: ["Snapshots"]
        ),
        .tests("InboxClientTests", ["AgentInterface", "DBus", "InboxClient"]),
        .tests(
            "WindowTests",
            ["AgentCommands", "AgentInterface", "DBus", "InboxClient", "TestSupport", "Window"]
        ),

        .tests("CompilerTests", [subprocess], exclude: ["LostHop.swift"]),

        // Examples of the libraries' documentation, run by tests
        .executableTarget(
            name: "watch-feed",
            dependencies: ["SuprSend"],
            path: "Tests/Examples/WatchFeed",
            swiftSettings: settings
        ),
        .executableTarget(
            name: "kept-feed",
            dependencies: ["SuprSend"],
            path: "Tests/Examples/KeptFeed",
            swiftSettings: settings
        ),
        .executableTarget(
            name: "watch-store",
            dependencies: ["MagicBell"],
            path: "Tests/Examples/WatchStore",
            swiftSettings: settings
        ),
        .executableTarget(
            name: "kept-store",
            dependencies: ["MagicBell"],
            path: "Tests/Examples/KeptStore",
            swiftSettings: settings
        ),

        // Fuzzing: packaging/checks/fuzz; the tests replay what it has found
        .target(
            name: "FuzzTargets",
            dependencies: [
                "Ably", "Agent", "Basics", "ClientKit", "Inbox", "MagicBell", "Pictures", "ServiceKit", "Services",
                "SocketIO", "SuprSend", "Transport", "VisibleText",
            ],
            path: "Tests/Fuzz/Targets",
            swiftSettings: settings
        ),
        .testTarget(
            name: "FuzzTests",
            dependencies: ["FuzzTargets", "TestSupport", subprocess],
            path: "Tests/Fuzz",
            exclude: ["Driver", "Targets", "words.dict"],
            resources: [.copy("Corpus")],
            swiftSettings: settings
        ),

        // Benchmarks: packaging/benchmark
        .module("FleetSimulation", in: "Tests/Benchmarks", ["ClientKit", "SeededRandom"]),
        .target(name: "CBaseline", dependencies: ["CDBus"], path: "Tests/Benchmarks/CBaseline"),
        .program(
            "FeedbellBenchmarks",
            in: "Tests/Benchmarks",
            ["AgentInterface", "CBaseline", "ClientKit", "DBus", "FleetSimulation", "Sandbox"] + nio
        ),
    ],
    cxxLanguageStandard: .cxx17
)

// The window's program needs libadwaita 1.2, and a main actor on its loop. FEEDBELL_WINDOW=1 or 0 decides where the
// files of pkg-config are elsewhere. Programs that use the libraries do without: SwiftPM warns of GTK's flags.
let pkgConfigFiles = ["lib/x86_64-linux-gnu", "lib/aarch64-linux-gnu", "lib64", "lib", "share"].map {
    "/usr/\($0)/pkgconfig/libadwaita-1.pc"
}
let hasLibadwaita = pkgConfigFiles.contains { file in
    guard let text = try? String(contentsOfFile: file, encoding: .utf8) else { return false }
    return !["1.0", "1.1"].contains { text.contains("Version: \($0).") }
}
let isDependency = Context.packageDirectory.split(separator: "/").dropLast().last == "checkouts"
let hasWindow =
    switch Context.environment["FEEDBELL_WINDOW"] {
    case "1"?: true
    case "0"?: false
    default:
        hasLibadwaita && !isDependency && Context.environment["FEEDBELL_ORDINARY_EXECUTORS"] == nil
    }
if hasWindow {
    let onMainActor = settings + [.defaultIsolation(MainActor.self)]
    package.products.append(.executable(name: "feedbell-window", targets: ["feedbell-window"]))
    package.targets += [
        .systemLibrary(
            name: "CAdwaita",
            path: "Sources/Window/CAdwaita",
            pkgConfig: "libadwaita-1",
            providers: [.apt(["libadwaita-1-dev"])]
        ),
        .target(
            name: "GTK",
            dependencies: ["Basics", "CAdwaita", "CLinux", "DBus", "ProgramLoop"],
            path: "Sources/Window/GTK",
            swiftSettings: onMainActor
        ),
        .executableTarget(
            name: "feedbell-window",
            dependencies: [
                "AgentCommands", "AgentInterface", "Basics", "CLinux", "DBus", "FileWatching", "GTK",
                "InboxClient", "ProgramLoop", "Translation", "VisibleText", "Window", argumentParser,
            ],
            path: "Sources/Window/feedbell-window",
            swiftSettings: onMainActor
        ),
    ]
}

// The programs without a loop of their own, as other compilers than Swift 6.3 build them.
if Context.environment["FEEDBELL_ORDINARY_EXECUTORS"] != nil {
    package.targets.first { $0.name == "ProgramLoop" }?.swiftSettings?.append(.define("FEEDBELL_ORDINARY_EXECUTORS"))
}

// packaging/checks/fuzz: its program, which needs the libFuzzer that the script brings, and coverage of everything
// here.
if Context.environment["FEEDBELL_FUZZ"] != nil {
    package.targets.append(
        .executableTarget(
            name: "FeedbellFuzz",
            dependencies: ["FuzzTargets"],
            path: "Tests/Fuzz/Driver",
            swiftSettings: settings
        )
    )
    let coverage = "-sanitize-coverage=edge,indirect-calls,trace-cmp,inline-8bit-counters,pc-table"
    for target in package.targets {
        target.swiftSettings?.append(.unsafeFlags([coverage]))
        if target.name == "CTOML" { target.cxxSettings = [.unsafeFlags(["-f" + coverage.dropFirst()])] }
    }
}
