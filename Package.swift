// swift-tools-version: 6.2
import PackageDescription

let environment = Context.environment
let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .treatAllWarnings(as: .error),
]
// For what the command consists of: compiled for speed, it is 0.3 MB larger, and a notification takes as long.
let forSize = settings + [.unsafeFlags(["-Osize"], .when(configuration: .release))]
// Tests call optimized code, and run once. A long table without its type costs more than a thousand lines with theirs;
// the slowest expression takes a tenth of this limit, so that a slow computer does not exceed it.
let forTests =
    settings + [
        .unsafeFlags(["-Onone", "-Xfrontend", "-gnone"], .when(configuration: .release)),
        .unsafeFlags(["-Xfrontend", "-warn-long-expression-type-checking=5000"]),
    ]
let onMainActor = settings + [.defaultIsolation(MainActor.self)]

extension Target {
    /// A library in Swift, of which the programs consist.
    static func module(
        _ path: String,
        _ dependencies: [Dependency],
        _ settings: [SwiftSetting] = settings,
        name: String? = nil
    ) -> Target {
        .target(name: name ?? last(path), dependencies: dependencies, path: path, swiftSettings: settings)
    }

    static func program(
        _ path: String,
        _ dependencies: [Dependency],
        _ settings: [SwiftSetting] = settings,
        name: String? = nil
    ) -> Target {
        .executableTarget(name: name ?? last(path), dependencies: dependencies, path: path, swiftSettings: settings)
    }

    static func system(_ path: String, _ pkgConfig: String, debian: String) -> Target {
        .systemLibrary(name: last(path), path: path, pkgConfig: pkgConfig, providers: [.apt([debian])])
    }

    static func tests(_ name: String, _ dependencies: [Dependency], exclude: [String] = []) -> Target {
        .testTarget(name: name, dependencies: dependencies, exclude: exclude, swiftSettings: forTests)
    }

    private static func last(_ path: String) -> String { String(path.split(separator: "/").last!) }
}

func nio(_ names: String...) -> [Target.Dependency] { names.map { .product(name: $0, package: "swift-nio") } }
let servers = nio("NIOCore", "NIOPosix", "NIOHTTP1", "NIOWebSocket")
let tls = Target.Dependency.product(name: "NIOSSL", package: "swift-nio-ssl")
let compression = Target.Dependency.product(name: "NIOHTTPCompression", package: "swift-nio-extras")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
// Only programs and tests need them. A user of a library who names no trait (traits: []) does not resolve them.
func forPrograms(_ name: String, _ package: String) -> Target.Dependency {
    .product(name: name, package: package, condition: .when(traits: ["Programs"]))
}
let argumentParser = forPrograms("ArgumentParser", "swift-argument-parser")
let subprocess = forPrograms("Subprocess", "swift-subprocess")
// The dependencies of tests that use the agent's interface, and of tests that run an agent.
let withInterface: [Target.Dependency] = ["AgentInterface", "Basics", "DBus", "TestSupport", "VisibleText"]
let ofAgent = withInterface + ["AgentTestSupport", "ClientKit", "Sandbox", logging, subprocess]

let programs = ["feedbell-agent", "feedbell-picture", "feedbell", "feedbell-sandbox"]

let package = Package(
    name: "feedbell",
    products: ["SuprSend", "MagicBell"].map { .library(name: $0, targets: [$0]) }
        + programs.map { .executable(name: $0, targets: [$0]) },
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
        .systemLibrary(name: "CLinux", path: "Sources/Common/CLinux"),
        .system("Sources/Bus/CDBus", "dbus-1", debian: "libdbus-1-dev"),
        .system("Sources/Agent/CPCRE2", "libpcre2-8", debian: "libpcre2-dev"),
        .system("Sources/Agent/CSQLite", "sqlite3", debian: "libsqlite3-dev"),

        // For all: text, time and waiting; what people read, in their language
        .module("Sources/Common/Basics", []),
        .module("Sources/Common/VisibleText", ["Basics", "CLinux"], forSize),

        // D-Bus, our interface, and what each program needs
        .module("Sources/Bus/DBus", ["Basics", "CDBus", "CLinux"], forSize),
        .module("Sources/Bus/ProgramKit", ["Basics", "CLinux", "DBus"]),
        .module(
            "Sources/Bus/AgentInterface",
            ["Basics", "DBus", "ProgramKit", "VisibleText", argumentParser],
            forSize
        ),

        // The libraries
        .target(name: "CSHA256", dependencies: [tls], path: "Sources/Clients/CSHA256"),
        .module(
            "Sources/Clients/ClientKit",
            servers + ["Basics", compression, logging, .product(name: "NIOSOCKS", package: "swift-nio-extras"), tls]
        ),
        .module("Sources/Clients/SuprSend", ["Basics", "ClientKit", logging]),
        .module("Sources/Clients/MagicBell", ["Basics", "CSHA256", "ClientKit", logging]),

        // The agent
        .module("Sources/Agent/Inbox", ["Basics", "CPCRE2", "VisibleText"]),
        .target(name: "CSecretCipher", dependencies: [tls], path: "Sources/Agent/CSecretCipher"),
        .target(name: "CTOML", path: "Sources/Agent/CTOML"),
        // In C: before it reads a picture, it gives up every system call that it does not need, and the runtime of
        // Swift would need more of them. No pkg-config: giflib has no file for it.
        .executableTarget(
            name: "feedbell-picture",
            path: "Sources/Agent/feedbell-picture",
            cSettings: [
                .define("_FORTIFY_SOURCE", to: "2", .when(configuration: .release)),
                .unsafeFlags(["-fstack-protector-strong"]),
            ],
            linkerSettings: ["png", "jpeg", "gif", "webpdemux", "webp", "seccomp"].map { .linkedLibrary($0) }
                // Without the start files of Swift, nothing of its runtime is linked.
                + [.unsafeFlags(["-nostartfiles"], .when(configuration: .release))]
        ),
        .module(
            "Sources/Agent/Agent",
            nio("NIOCore", "NIOHTTP1", "NIOPosix") + [
                "AgentInterface", "Basics", "CLinux", "CSHA256", "CSQLite", "CSecretCipher", "CTOML", "ClientKit",
                "DBus", "Inbox", "MagicBell", "ProgramKit", "SuprSend", "VisibleText", logging,
            ]
        ),
        .program(
            "Sources/Agent/feedbell-agent",
            nio("NIOCore", "NIOPosix") + [
                "Agent", "AgentInterface", "Basics", "CLinux", "ClientKit", "DBus", "Inbox", "ProgramKit",
                "VisibleText", argumentParser, logging,
            ]
        ),

        .program(
            "Sources/Command/feedbell",
            ["AgentInterface", "Basics", "CLinux", "DBus", "ProgramKit", "VisibleText", argumentParser],
            forSize
        ),

        // The window: what it shows and requests, without GTK. The program is below.
        .module("Sources/Window/Window", ["AgentInterface", "Basics", "DBus", "VisibleText", argumentParser]),

        // The stand-in for the services and for a notification server: for the demo and for tests
        .module("Sources/Simulation/Sandbox", servers + ["Basics", "CSHA256", "DBus", "VisibleText"]),
        .program("Sources/Simulation/feedbell-sandbox", ["Sandbox", "DBus", "VisibleText", argumentParser]),

        // Tests
        .module("Tests/SeededRandom", []),
        .module(
            "Tests/TestSupport",
            servers + ["Basics", "ClientKit", "DBus", "Sandbox", "SeededRandom", subprocess, tls],
            forTests
        ),
        .module("Tests/ServiceModels", ["Basics", "ClientKit", "MagicBell", "SuprSend"], forTests),
        .module("Tests/AgentTestSupport", withInterface + ["CSecretCipher", subprocess], forTests),
        .tests("DBusTests", ["Basics", "DBus", "TestSupport", subprocess], exclude: ["Compiler/LostHop.swift"]),
        .tests(
            "ClientKitTests",
            servers + [
                "Basics", "CLinux", "ClientKit", "FleetSimulation", "SeededRandom", "TestSupport", compression, logging,
                tls,
            ],
            exclude: ["Ably/Transcripts", "SocketIO/Transcripts"]
        ),
        .tests(
            "SuprSendTests",
            ["Basics", "ClientKit", "Sandbox", "ServiceModels", "SuprSend", "TestSupport", logging, subprocess],
            exclude: ["StockServer/server.py"]
        ),
        .tests(
            "MagicBellTests",
            ["Basics", "ClientKit", "MagicBell", "Sandbox", "ServiceModels", "TestSupport", logging]
        ),
        .tests("InboxTests", ["Basics", "Inbox", "TestSupport", "VisibleText", subprocess]),
        .tests(
            "AgentPartsTests",
            ofAgent + servers + [
                "Agent", "CLinux", "CSQLite", "Inbox", "MagicBell", "ProgramKit", "ServiceModels", argumentParser,
                "feedbell-agent",
            ],
            exclude: ["OAuth/StockServer/server.py"]
        ),
        .tests("AgentTests", ofAgent + ["Agent", "Inbox", "ProgramKit", "SuprSend", "Window"]),
        // Without the module Agent, so that they are compiled beside it.
        .tests("ProgramTests", ofAgent + ["CLinux"], exclude: ["Clients", "Snapshots"]),
        .tests(
            "CommandTests",
            withInterface + ["ProgramKit", "Sandbox", argumentParser, "feedbell"],
            exclude: ["Snapshots"]
        ),
        .tests("WindowTests", ["AgentInterface", "DBus", "TestSupport", "Window"]),
        .tests("SandboxTests", servers + ["DBus", "Sandbox", "TestSupport", subprocess]),
        .tests(
            "SimulationTests",
            withInterface + ["Agent", "ClientKit", "Inbox", "MagicBell", "ServiceModels", "SuprSend"]
        ),

        // Examples of the libraries' documentation, run by tests
        .program("Tests/Examples/WatchFeed", ["SuprSend"], name: "watch-feed"),
        .program("Tests/Examples/KeptFeed", ["SuprSend"], name: "kept-feed"),
        .program("Tests/Examples/WatchStore", ["MagicBell"], name: "watch-store"),
        .program("Tests/Examples/KeptStore", ["MagicBell"], name: "kept-store"),

        // Fuzzing: packaging/checks/fuzz; the tests replay what it has found
        .module(
            "Tests/Fuzz/Targets",
            ["Agent", "Basics", "ClientKit", "Inbox", "MagicBell", "SuprSend", "VisibleText"],
            name: "FuzzTargets"
        ),
        .testTarget(
            name: "FuzzTests",
            dependencies: ["FuzzTargets", "TestSupport", subprocess],
            path: "Tests/Fuzz",
            exclude: ["Driver", "Targets", "words.dict"],
            resources: [.copy("Corpus")],
            swiftSettings: forTests
        ),

        // Benchmarks: packaging/benchmark
        .module("Tests/Benchmarks/FleetSimulation", ["ClientKit", "SeededRandom"]),
        .target(name: "CBaseline", dependencies: ["CDBus"], path: "Tests/Benchmarks/CBaseline"),
        .program(
            "Tests/Benchmarks/FeedbellBenchmarks",
            ["AgentInterface", "CBaseline", "ClientKit", "DBus", "FleetSimulation", "Sandbox"] + servers
        ),
    ],
    cxxLanguageStandard: .cxx17
)

// The window's program needs libadwaita 1.2 and is built with all else: FEEDBELL_WINDOW=0 leaves it out. So do programs
// that use the libraries, which SwiftPM would warn of GTK's flags, and the ordinary executors below, which have no
// loop of GTK.
let isDependency = Context.packageDirectory.split(separator: "/").dropLast().last == "checkouts"
let hasOrdinaryExecutors = environment["FEEDBELL_ORDINARY_EXECUTORS"] != nil
if environment["FEEDBELL_WINDOW"] != "0" && !isDependency && !hasOrdinaryExecutors {
    package.products.append(.executable(name: "feedbell-window", targets: ["feedbell-window"]))
    package.targets += [
        .system("Sources/Window/CAdwaita", "libadwaita-1", debian: "libadwaita-1-dev"),
        .module("Sources/Window/GTK", ["Basics", "CAdwaita", "CLinux", "DBus", "ProgramKit"], onMainActor),
        .program(
            "Sources/Window/feedbell-window",
            [
                "AgentInterface", "Basics", "CLinux", "DBus", "GTK", "ProgramKit", "VisibleText", "Window",
                argumentParser,
            ],
            onMainActor
        ),
    ]
}

// Options of the linker. What reads what strangers send binds all functions at the start: then nothing can replace one.
var linking = ["feedbell-agent": ["-z", "now"], "feedbell-picture": ["-z", "now"]]
// packaging/release: the functions that a program uses are beside each other (packaging/build/function-order).
if let directory = environment["FEEDBELL_FUNCTION_ORDER"] {
    let nameless = ["-T", Context.packageDirectory + "/packaging/build/function-order/nameless.ld"]
    for program in ["feedbell-agent", "feedbell"] {
        let order = ["--symbol-ordering-file=\(directory)/\(program)", "--no-warn-symbol-ordering"]
        linking[program, default: []] += order + nameless
    }
}
for target in package.targets {
    guard let options = linking[target.name]?.flatMap({ ["-Xlinker", $0] }) else { continue }
    target.linkerSettings = (target.linkerSettings ?? []) + [.unsafeFlags(options, .when(configuration: .release))]
}

// The programs without a loop of their own, as other compilers than Swift 6.3 build them.
if hasOrdinaryExecutors {
    package.targets.first { $0.name == "ProgramKit" }?.swiftSettings?.append(.define("FEEDBELL_ORDINARY_EXECUTORS"))
}

// packaging/test: the release, with what @testable needs. Only then, because a program has no reason to keep it.
if environment["FEEDBELL_ENABLE_TESTING"] != nil {
    for target in package.targets where target.type == .regular || target.type == .executable {
        // These two are compiled without optimization: no test runs the benchmarks, and fuzzing inputs run once.
        let isForTests = ["FeedbellBenchmarks", "FuzzTargets"].contains(target.name)
        let options = ["-enable-testing"] + (isForTests ? ["-Onone"] : [])
        target.swiftSettings?.append(.unsafeFlags(options, .when(configuration: .release)))
    }
}

// packaging/checks/fuzz: its program, which needs the libFuzzer that the script brings, and coverage of everything.
if environment["FEEDBELL_FUZZ"] != nil {
    package.targets.append(.program("Tests/Fuzz/Driver", ["FuzzTargets"], name: "FeedbellFuzz"))
    let coverage = "-sanitize-coverage=edge,indirect-calls,trace-cmp,inline-8bit-counters,pc-table"
    for target in package.targets {
        target.swiftSettings?.append(.unsafeFlags([coverage]))
        if target.name == "CTOML" { target.cxxSettings = [.unsafeFlags(["-f" + coverage.dropFirst()])] }
    }
}
