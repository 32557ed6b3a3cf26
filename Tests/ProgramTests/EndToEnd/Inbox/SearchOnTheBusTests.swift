import AgentInterface
import AgentTestSupport
import DBus
import Sandbox
import TestSupport
import Testing

/// The searches of GNOME Shell and Plasma, as these call them.
@Suite(.sessionBus, .sandbox(users: ["anna"]), .timeLimit(.minutes(5))) struct SearchOnTheBusTests {
    /// Runs `body` beside an agent that keeps its inbox, of which two notifications have the word "invoice".
    private func with(_ body: (BuiltAgent, Proxy, TemporaryFile) async throws -> Void) async throws {
        try await TemporaryFile.with(AgentConfiguration.account()) { file in
            try await BuiltAgent.keepingState(beside: file) { agent in
                let texts = [
                    ("Invoice 2041", "Due on Friday"), ("Build failed", "The invoice service"), ("Lunch", "x"),
                ]
                for (title, text) in texts {
                    _ = try await Sandbox.current.publish(["header": .string(title), "text": .string(text)])
                }
                try await agent.waitForList(count: 3)
                let search = Proxy(agent.bus, AgentNames.searchName, "/org/feedbell/Search1")
                // The agent writes notifications into its copy a moment after they have arrived.
                try await waiting(for: "two hits", every: .milliseconds(20)) {
                    try await search.call(ShellSearchProvider.getInitialResultSet, ["invoice"])
                } until: {
                    $0.count >= 2
                }
                try await body(agent, search, file)
            }
        }
    }

    @Test("GNOME Shell finds the newest first, gets their texts, and opens one in the window") func shell() async throws
    {
        try await with { _, search, _ in try await useShell(search) }
    }

    private func useShell(_ search: Proxy) async throws {
        let found = try await search.call(ShellSearchProvider.getInitialResultSet, ["invoice"])
        let metas = try await search.call(ShellSearchProvider.getResultMetas, found + ["other"])
        #expect(metas.map { $0["name"] } == [.string("Build failed"), .string("Invoice 2041")])
        #expect(metas.map { $0["description"] } == [.string("The invoice service"), .string("Due on Friday")])
        #expect(metas.map { $0["id"] } == found.map { .string($0) })
        let fewer = try await search.call(ShellSearchProvider.getSubsearchResultSet, found, ["invoice", "frid"])
        #expect(fewer == [found[1]])
        #expect(try await search.call(ShellSearchProvider.getInitialResultSet, ["i"]).isEmpty, "a single letter")
        #expect(try await search.call(ShellSearchProvider.getInitialResultSet, ["+"]).isEmpty, "no word")
        try await withBus { bus in
            let window = FakeWindow()
            try await window.own(bus)
            try await search.call(ShellSearchProvider.activateResult, found[1], ["invoice"], 4_711)
            let id = try #require(found[1].split(separator: "\n").last)
            let show = [Value.structure([.string("work"), .string(String(id))])]
            #expect(await window.next() == .action("show", show, token: .string("feedbell_TIME4711")))
            try await search.call(ShellSearchProvider.launchSearch, ["invoice", "due"], 4_712)
            let words = [Value.structure([.string("invoice due")])]
            #expect(await window.next() == .action("search", words, token: .string("feedbell_TIME4712")))
            let unknown = await #expect(throws: DBusError.self) {
                try await search.call(ShellSearchProvider.activateResult, "other", [], 0)
            }
            #expect(unknown?.name == AgentErrors.notFound)
        }
    }

    @Test("Plasma finds the same, and passes on the token of the click") func plasma() async throws {
        try await with { _, search, _ in try await usePlasma(search) }
    }

    private func usePlasma(_ search: Proxy) async throws {
        let matches = try await search.call(PlasmaRunner.match, "invoice")
        #expect(matches.map { $0.elements.1 } == ["Build failed", "Invoice 2041"])
        #expect(matches.map { $0.elements.5["subtext"] } == [.string("The invoice service"), .string("Due on Friday")])
        #expect(matches[0].elements.4 > matches[1].elements.4)
        #expect(try await search.call(PlasmaRunner.actions).isEmpty)
        try await withBus { bus in
            let window = FakeWindow()
            try await window.own(bus)
            try await search.call(PlasmaRunner.setActivationToken, "token")
            try await search.call(PlasmaRunner.run, matches[1].elements.0, "")
            guard case .action("show", _, token: .string("token")) = await window.next() else {
                Issue.record("The window was not shown the match.")
                return
            }
        }
    }

    @Test("While the session is locked and its popups hide their texts, nothing is found") func locked() async throws {
        let arguments = ["--template", "gnome_screensaver"]
        try await DBusMock.running(arguments, name: "org.gnome.ScreenSaver", on: SessionBus.address) { saver in
            let lock = { (isLocked: Bool) async throws in
                _ = try await saver.call(
                    "/org/gnome/ScreenSaver",
                    "org.gnome.ScreenSaver",
                    "SetActive",
                    [.bool(isLocked)]
                )
            }
            try await with { agent, search, file in
                let found = try await search.call(ShellSearchProvider.getInitialResultSet, ["invoice"])
                #expect(try await search.call(ShellSearchProvider.getResultMetas, found).count == 2)
                try file.write(AgentConfiguration.account() + "[popups]\nlocked = \"hide-text\"\n")
                try await agent.root.call(AgentRoot.reload)
                for (isLocked, count) in [(true, 0), (false, 2)] {
                    try await lock(isLocked)
                    try await waiting(for: "\(count) hits", every: .milliseconds(20)) {
                        try await search.call(ShellSearchProvider.getInitialResultSet, ["invoice"])
                    } until: {
                        $0.count == count
                    }
                    #expect(try await search.call(ShellSearchProvider.getResultMetas, found).count == count)
                }
            }
        }
    }

    @Test("Switched off, the name goes and nothing is found; a search never starts an agent") func off() async throws {
        try await with { agent, _, file in
            try file.write(AgentConfiguration.account() + "[search]\ndesktop = false\n")
            try await agent.root.call(AgentRoot.reload)
            try await waiting(for: "the end of the name") {
                try await agent.bus.nameOwner(of: AgentNames.searchName)
            } until: {
                $0 == nil
            }
            let direct = Proxy(agent.bus, AgentNames.busName, "/org/feedbell/Search1")
            #expect(try await direct.call(ShellSearchProvider.getInitialResultSet, ["invoice"]).isEmpty)
        }
    }
}

/// `org.gnome.Shell.SearchProvider2` (GNOME's developer documentation, "Writing a Search Provider").
private enum ShellSearchProvider: Interface {
    static let name: InterfaceName = "org.gnome.Shell.SearchProvider2"
    static let getInitialResultSet = Method(
        "GetInitialResultSet",
        in: (Argument<[String]>("terms")),
        out: (Argument<[String]>("results"))
    )
    static let getSubsearchResultSet = Method(
        "GetSubsearchResultSet",
        in: (Argument<[String]>("previous_results"), Argument<[String]>("terms")),
        out: (Argument<[String]>("results"))
    )
    static let getResultMetas = Method(
        "GetResultMetas",
        in: (Argument<[String]>("identifiers")),
        out: (Argument<[[String: Value]]>("metas"))
    )
    static let activateResult = Method(
        "ActivateResult",
        in: (Argument<String>("identifier"), Argument<[String]>("terms"), Argument<UInt32>("timestamp")),
        out: ()
    )
    static let launchSearch = Method(
        "LaunchSearch",
        in: (Argument<[String]>("terms"), Argument<UInt32>("timestamp")),
        out: ()
    )
    static let members: [any Member] = [
        getInitialResultSet, getSubsearchResultSet, getResultMetas, activateResult, launchSearch,
    ]
}

/// `org.kde.krunner1` (`org.kde.krunner1.xml` of KDE's KRunner).
private enum PlasmaRunner: Interface {
    static let name: InterfaceName = "org.kde.krunner1"
    /// Id, text, icon, type, relevance and properties.
    typealias Match = Structure<String, String, String, Int32, Double, [String: Value]>
    static let match = Method("Match", in: (Argument<String>("query")), out: (Argument<[Match]>("matches")))
    static let actions = Method(
        "Actions",
        in: (),
        out: (Argument<[Structure<String, String, String>]>("matches"))
    )
    static let run = Method("Run", in: (Argument<String>("matchId"), Argument<String>("actionId")), out: ())
    static let setActivationToken = Method("SetActivationToken", in: (Argument<String>("token")), out: ())
    static let members: [any Member] = [match, actions, run, setActivationToken]
}
