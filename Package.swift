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
// For code that is quick beside what it waits for: with it, the command is 0.25 MB smaller.
let settingsForSize = settings + [.unsafeFlags(["-Osize"], .when(configuration: .release))]

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
        .target(name: "Basics", path: "Sources/Common/Basics", swiftSettings: settings),

        .systemLibrary(name: "CLinux", path: "Sources/Common/CLinux"),
        .target(
            name: "ChildProgram",
            dependencies: ["Basics", "CLinux"],
            path: "Sources/Common/ChildProgram",
            swiftSettings: settingsForSize
        ),

        // D-Bus, programs and their loops
        .systemLibrary(
            name: "CDBus",
            path: "Sources/Bus/CDBus",
            pkgConfig: "dbus-1",
            providers: [.apt(["libdbus-1-dev"])]
        ),
        .target(
            name: "DBus",
            dependencies: ["Basics", "CDBus", "CLinux"],
            path: "Sources/Bus/DBus",
            swiftSettings: settingsForSize
        ),
        .target(
            name: "FileWatching",
            dependencies: ["Basics", "CLinux", "DBus"],
            path: "Sources/Bus/FileWatching",
            swiftSettings: settings
        ),
        .target(name: "ProgramLoop", dependencies: ["DBus"], path: "Sources/Bus/ProgramLoop", swiftSettings: settings),

        // The user's language
        .target(
            name: "VisibleText",
            dependencies: ["Basics", "CLinux"],
            path: "Sources/Common/VisibleText",
            swiftSettings: settings
        ),
        .target(
            name: "Translation",
            dependencies: ["CLinux", "VisibleText"],
            path: "Sources/Common/Translation",
            swiftSettings: settingsForSize
        ),

        // Services
        .target(
            name: "ClientKit",
            dependencies: ["Basics", logging],
            path: "Sources/Clients/ClientKit",
            swiftSettings: settings
        ),
        .target(
            name: "SocketIO",
            dependencies: ["Basics", "ClientKit"],
            path: "Sources/Clients/SocketIO",
            swiftSettings: settings
        ),
        .target(
            name: "Transport",
            dependencies: nio + [
                "Basics", "ClientKit", logging,
                .product(name: "NIOHTTPCompression", package: "swift-nio-extras"),
                .product(name: "NIOSOCKS", package: "swift-nio-extras"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ],
            path: "Sources/Clients/Transport",
            swiftSettings: settings
        ),
        .target(
            name: "SuprSend",
            dependencies: ["Basics", "ClientKit", "SocketIO", "Transport", logging],
            path: "Sources/Clients/SuprSend",
            swiftSettings: settings
        ),
        .target(
            name: "Ably",
            dependencies: ["Basics", "ClientKit"],
            path: "Sources/Clients/Ably",
            swiftSettings: settings
        ),
        .target(
            name: "CSHA256",
            dependencies: [.product(name: "NIOSSL", package: "swift-nio-ssl")],
            path: "Sources/Clients/CSHA256"
        ),
        .target(
            name: "MagicBell",
            dependencies: ["Ably", "Basics", "CSHA256", "ClientKit", "Transport", logging],
            path: "Sources/Clients/MagicBell",
            swiftSettings: settings
        ),

        .target(
            name: "OAuth",
            dependencies: [
                .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"), "Basics", "CSHA256", "ClientKit", "Translation",
                "Transport",
            ],
            path: "Sources/Clients/OAuth",
            swiftSettings: settings
        ),

        // The agent
        .systemLibrary(
            name: "CPCRE2",
            path: "Sources/Agent/CPCRE2",
            pkgConfig: "libpcre2-8",
            providers: [.apt(["libpcre2-dev"])]
        ),
        .target(
            name: "Inbox",
            dependencies: ["Basics", "CPCRE2", "Translation", "VisibleText"],
            path: "Sources/Agent/Inbox",
            swiftSettings: settings
        ),
        .target(
            name: "CSecretCipher",
            dependencies: [.product(name: "NIOSSL", package: "swift-nio-ssl")],
            path: "Sources/Agent/CSecretCipher"
        ),
        .target(
            name: "Desktop",
            dependencies: ["Basics", "ChildProgram", "CSecretCipher", "CLinux", "DBus", "FileWatching", logging],
            path: "Sources/Agent/Desktop",
            swiftSettings: settings
        ),
        .target(
            name: "AgentInterface",
            dependencies: ["DBus"],
            path: "Sources/Bus/AgentInterface",
            swiftSettings: settingsForSize
        ),
        .target(
            name: "InboxPresentation",
            dependencies: ["AgentInterface", "DBus", "Translation", "VisibleText"],
            path: "Sources/Bus/InboxPresentation",
            swiftSettings: settingsForSize
        ),
        .target(name: "CTOML", path: "Sources/Agent/CTOML"),
        .systemLibrary(
            name: "CSQLite",
            path: "Sources/Agent/CSQLite",
            pkgConfig: "sqlite3",
            providers: [.apt(["libsqlite3-dev"])]
        ),
        .target(
            name: "Store",
            dependencies: ["Basics", "CLinux", "CSQLite"],
            path: "Sources/Agent/Store",
            swiftSettings: settings
        ),
        .target(
            name: "Pictures",
            dependencies: ["Basics", "CSHA256", "ChildProgram", "Inbox", "Transport", logging],
            path: "Sources/Agent/Pictures",
            swiftSettings: settings
        ),
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
        .target(
            name: "ServiceKit",
            dependencies: [
                .product(name: "NIOCore", package: "swift-nio"), "AgentInterface", "Basics", "ChildProgram",
                "ClientKit",
                "CTOML", "Desktop", "Inbox", "OAuth", "Translation", "Transport", logging,
            ],
            path: "Sources/Agent/ServiceKit",
            swiftSettings: settings
        ),
        .target(
            name: "Services",
            dependencies: [
                "AgentInterface", "Basics", "ClientKit", "Inbox", "MagicBell", "ServiceKit", "SuprSend", "Translation",
                "Transport", logging,
            ],
            path: "Sources/Agent/Services",
            swiftSettings: settings
        ),
        .target(
            name: "Agent",
            dependencies: [
                "AgentInterface", "Basics", "DBus", "Desktop", "FileWatching", "Inbox", "OAuth", "ServiceKit", "Store",
                "Translation", "VisibleText", logging,
            ],
            path: "Sources/Agent/Agent",
            swiftSettings: settings
        ),
        .target(
            name: "ServiceOptions",
            dependencies: ["AgentInterface", argumentParser],
            path: "Sources/Command/ServiceOptions",
            swiftSettings: settingsForSize
        ),
        .target(
            name: "AgentCommands",
            dependencies: ["AgentInterface", "ChildProgram", "Translation", "VisibleText"],
            path: "Sources/Command/AgentCommands",
            swiftSettings: settingsForSize
        ),
        .executableTarget(
            name: "feedbell-agent",
            dependencies: [
                "Agent", "AgentInterface", "Basics", "CLinux", "ChildProgram", "DBus", "Desktop", "Inbox", "Pictures",
                "ProgramLoop", "ServiceKit", "ServiceOptions", "Services", "Store", "Translation", "Transport",
                "VisibleText", argumentParser, logging,
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ],
            path: "Sources/Agent/feedbell-agent",
            swiftSettings: settings
        ),
        .executableTarget(
            name: "feedbell",
            dependencies: [
                "AgentCommands", "AgentInterface", "Basics", "ChildProgram", "CLinux", "DBus", "FileWatching",
                "InboxPresentation", "ProgramLoop", "ServiceOptions", "Translation", "VisibleText", argumentParser,
            ],
            path: "Sources/Command/feedbell",
            swiftSettings: settingsForSize
        ),

        // The window: what it shows and requests, without GTK. The program is below.
        .target(
            name: "Window",
            dependencies: [
                "AgentCommands", "AgentInterface", "Basics", "DBus", "InboxPresentation", "Translation", "VisibleText",
                argumentParser,
            ],
            path: "Sources/Window/Window",
            swiftSettings: settings
        ),

        // The stand-in for the services and for a notification server: for the demo and for tests
        .target(
            name: "Sandbox",
            dependencies: nio + ["Basics"],
            path: "Sources/Simulation/Sandbox",
            swiftSettings: settings
        ),
        .target(
            name: "NotificationTerminal",
            dependencies: ["Basics", "DBus", "VisibleText"],
            path: "Sources/Simulation/NotificationTerminal",
            swiftSettings: settings
        ),
        .executableTarget(
            name: "feedbell-sandbox",
            dependencies: ["Sandbox", "NotificationTerminal", "DBus", argumentParser],
            path: "Sources/Simulation/feedbell-sandbox",
            swiftSettings: settings
        ),

        // Tests
        .target(name: "SeededRandom", path: "Tests/SeededRandom", swiftSettings: settings),
        .target(
            name: "TestSupport",
            dependencies: [
                "DBus", "Sandbox", "SeededRandom", subprocess, .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ] + nio,
            path: "Tests/TestSupport",
            swiftSettings: settings
        ),
        .testTarget(
            name: "DBusTests",
            dependencies: ["Basics", "DBus", "TestSupport", subprocess],
            swiftSettings: settings
        ),
        .testTarget(
            name: "NetworkLoopTests",
            dependencies: [
                "AgentInterface", "Basics", "CLinux", "DBus", "Pictures", "TestSupport", "feedbell-agent",
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "NotificationTerminalTests",
            dependencies: ["NotificationTerminal", "DBus", "TestSupport"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "ClientKitTests",
            dependencies: ["Basics", "CLinux", "ClientKit", "FleetSimulation", "TestSupport"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "SocketIOTests",
            dependencies: ["Basics", "ClientKit", "SocketIO", "TestSupport"],
            resources: [.copy("Transcripts")],
            swiftSettings: settings
        ),
        .testTarget(
            name: "TransportTests",
            dependencies: nio + [
                "Basics", "Transport", "TestSupport", logging,
                .product(name: "NIOHTTPCompression", package: "swift-nio-extras"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "OAuthTests",
            dependencies: [
                .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOPosix", package: "swift-nio"),
                "Basics", "ClientKit", "OAuth", "TestSupport", "Transport", logging,
            ],
            exclude: ["StockServer/server.py"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "SuprSendTests",
            dependencies: [
                "Basics", "ClientKit", "SuprSend", "SocketIO", "Transport", "Sandbox", "TestSupport", logging,
                subprocess,
            ],
            exclude: ["StockServer/server.py"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "AblyTests",
            dependencies: ["Ably", "Basics", "ClientKit", "TestSupport"],
            resources: [.copy("Transcripts")],
            swiftSettings: settings
        ),
        .testTarget(
            name: "MagicBellTests",
            dependencies: [
                "Ably", "Basics", "ClientKit", "MagicBell", "Sandbox", "TestSupport", "Transport", logging,
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "SandboxTests",
            dependencies: nio + ["Sandbox", "TestSupport", subprocess],
            swiftSettings: settings
        ),
        .testTarget(
            name: "InboxTests",
            dependencies: ["Basics", "Inbox", "TestSupport", "VisibleText"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "TranslationTests",
            dependencies: ["TestSupport", "Translation", "VisibleText", subprocess],
            swiftSettings: settings
        ),
        .testTarget(
            name: "PicturesTests",
            dependencies: nio + ["Basics", "Inbox", "Pictures", "TestSupport", "Transport", logging, subprocess],
            swiftSettings: settings
        ),
        .target(
            name: "FakeSecretService",
            dependencies: ["DBus", "Desktop"],
            path: "Tests/FakeSecretService",
            swiftSettings: settings
        ),
        .testTarget(
            name: "StoreTests",
            dependencies: ["Basics", "CSQLite", "Store", "TestSupport"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "DesktopTests",
            dependencies: [
                "Basics", "ChildProgram", "Desktop", "DBus", "FakeSecretService", "FileWatching", "TestSupport",
                logging,
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "AgentTests",
            dependencies: [
                "Agent", "AgentInterface", "Basics", "ChildProgram", "DBus", "Desktop", "FakeSecretService", "Inbox",
                "InboxPresentation", "NotificationTerminal", "Sandbox", "ServiceKit", "Services", "Store", "SuprSend",
                "TestSupport", "Transport", "VisibleText", "Window", logging, subprocess,
            ],
            exclude: ["Clients", "Snapshots"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "ServicesTests",
            dependencies: [
                "Agent", "AgentInterface", "Basics", "ClientKit", "DBus", "Desktop", "Inbox", "MagicBell", "Sandbox",
                "ServiceKit", "ServiceOptions", "Services", "Store", "TestSupport", "Transport", argumentParser,
                logging,
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "CommandTests",
            dependencies: [
                "feedbell", "AgentCommands", "AgentInterface", "Basics", "ChildProgram", "DBus", "InboxPresentation",
                "TestSupport", "VisibleText", argumentParser,
            ],
            exclude: ["Snapshots"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "WindowTests",
            dependencies: ["AgentCommands", "AgentInterface", "DBus", "InboxPresentation", "TestSupport", "Window"],
            swiftSettings: settings
        ),

        .testTarget(
            name: "CompilerTests",
            dependencies: [subprocess],
            exclude: ["LostHop.swift"],
            swiftSettings: settings
        ),

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
        .target(
            name: "FleetSimulation",
            dependencies: ["ClientKit", "SeededRandom"],
            path: "Tests/Benchmarks/FleetSimulation",
            swiftSettings: settings
        ),
        .target(name: "CBaseline", dependencies: ["CDBus"], path: "Tests/Benchmarks/CBaseline"),
        .executableTarget(
            name: "FeedbellBenchmarks",
            dependencies: ["AgentInterface", "CBaseline", "ClientKit", "DBus", "FleetSimulation", "Sandbox"] + nio,
            path: "Tests/Benchmarks/FeedbellBenchmarks",
            swiftSettings: settings
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
                "InboxPresentation", "ProgramLoop", "Translation", "VisibleText", "Window", argumentParser,
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
