import ClientKit
import Sandbox
import TestSupport
import Testing

@testable import SuprSend

/// Events in any order and answers after any time: nothing traps, pending changes are always shown, and at the end the
/// preferences equal those of the service.
@Suite struct PreferencesPropertyTests {
    private enum Answer {
        case load(UInt64, HTTPResponse?, again: Bool)
        case change(PreferencesState.Request, HTTPResponse?, isUnverified: Bool)
    }

    private struct World {
        var chance: SeededGenerator
        var state = PreferencesState()
        var service = SandboxService(options: SandboxOptions(publicKey: "SS.PUBK.example", requireToken: false))
        var waiting: [Answer] = []
        var now = Duration.zero
        /// No other device changes a value, and requests can be retried: no further load is needed in the end.
        let isCalm: Bool

        mutating func serve(_ operation: PreferenceCall.Operation) throws -> HTTPResponse {
            let scope = RequestScope(hosts: Hosts(), distinctID: "user-1", tenantID: nil)
            let call = PreferenceCall(operation, routes: .user)
            return service.serve(
                APIClient(context: try .test(), scope: scope, tokens: nil).request(for: call, token: nil)
            )
        }

        mutating func load(again: Bool = false, fails: Bool = false) throws {
            let number = state.beginLoad()
            waiting.append(.load(number, fails ? nil : try serve(.full(PreferenceArgs())), again: again))
        }

        mutating func send(mayFail: Bool = true) throws {
            while let request = state.begin(now: now) {
                let outcome = mayFail ? Int.random(in: 0..<8, using: &chance) : 7
                if outcome == 0 {
                    waiting.append(.change(request, nil, isUnverified: false))
                } else {
                    let answer = try serve(request.operation)
                    #expect(answer.status == 202, "\(String(decoding: answer.body, as: UTF8.self))")
                    waiting.append(.change(request, outcome == 1 ? nil : answer, isUnverified: outcome == 1))
                }
                let keys = waiting.compactMap {
                    if case .change(let request, _, _) = $0 { request.target } else { nil }
                }
                #expect(Set(keys).count == keys.count, "two requests of one key at once")
            }
        }

        mutating func answer(_ index: Int, mayFail: Bool = true) throws {
            let fails = mayFail && !isCalm && Int.random(in: 0..<8, using: &chance) == 0
            switch waiting.remove(at: index) {
            case .load(let number, let response, let again):
                let data = try response.map { try SuprSend.ResponseDecoder.decode($0, as: PreferenceData.self) }
                state.finishLoad(number, PreferenceArgs(), data, again: again)
            case .change(let request, let response, let isUnverified):
                let answer = try response.map {
                    try SuprSend.ResponseDecoder.decode($0, as: PreferenceConfirmation.self)
                }
                let outcome = state.finish(request, answer)
                #expect(outcome == .discarded || (answer == nil) == (outcome == .failed))
                // As the actor does.
                if outcome == .confirmedInPart || isUnverified { try load(again: true, fails: fails) }
            }
        }

        mutating func edit() {
            let slugs = ["refund-news", "maintenance", "builds", "mentions", "nope"]
            let channels = ["androidpush", "email", "inbox", "whatsapp"]
            let slug = slugs.randomElement(using: &chance)!
            let channel = channels.randomElement(using: &chance)!
            let option = Bool.random(using: &chance) ? PreferenceOption.optIn : .optOut
            let edits: [PreferenceEdit] = [
                .category(slug, option), .category(slug, option), .channel(channel, option, category: slug),
                .channel(channel, option, category: slug),
                .level(channel, Bool.random(using: &chance) ? .all : .required),
                .digest(.init(id: "weekly", time: "1\(Int.random(in: 0..<9, using: &chance)):00"), category: "builds"),
                .properties(
                    [.init(key: "min_minutes", value: .integer(.random(in: 0...9, using: &chance)))],
                    category: "builds"
                ),
            ]
            let edit = edits.randomElement(using: &chance)!
            guard let result = try? state.update(edit, PreferenceArgs(), now: now) else { return }
            #expect(result.data == state.data)
            switch edit {
            case .category: #expect(result.data.category(slug)?.preference == option)
            case .channel:
                #expect(result.data.category(slug)?.channels.first { $0.channel == channel }?.preference == option)
            case .level(_, let level): #expect(result.data.channel(channel)?.level == level)
            default: break
            }
        }

        /// Another device.
        mutating func interfere() throws {
            _ = try serve(
                .patchCategory(
                    "mentions",
                    .init(),
                    body: ["preference": Bool.random(using: &chance) ? "opt_in" : "opt_out"]
                )
            )
        }

        var truth: PreferenceData {
            get throws { try preferences(service[InboxKey(user: "user-1")].preferences.full.text) }
        }
    }

    @Test("The preferences converge to those of the service in any order of events", arguments: 0..<80 as Range<UInt64>)
    func convergence(seed: UInt64) throws {
        var world = World(chance: SeededGenerator(seed: seed), isCalm: seed % 2 == 0)
        try world.load()
        for _ in 0..<250 {
            world.now += .milliseconds(Int.random(in: 0...400, using: &world.chance))
            let shown = world.state.data
            switch Int.random(in: 0..<20, using: &world.chance) {
            case 0...8: world.edit()
            case 9...12: try world.send()
            case 13: try world.load(fails: Int.random(in: 0..<4, using: &world.chance) == 0)
            case 14: if !world.isCalm, Int.random(in: 0..<4, using: &world.chance) == 0 { try world.interfere() }
            case 15:
                // A cancelled request is made again. It may have been done.
                let index = world.waiting.firstIndex { if case .change = $0 { true } else { false } }
                if let index, case .change(let request, _, _) = world.waiting.remove(at: index) {
                    world.state.requeue(request)
                    #expect(world.state.data == shown)
                }
            case 16: if !world.isCalm, Int.random(in: 0..<50, using: &world.chance) == 0 { world.state.discard() }
            default:
                if let index = world.waiting.indices.randomElement(using: &world.chance) { try world.answer(index) }
            }
        }

        // At the end everything is sent and answered.
        if world.state.data == nil { try world.load() }
        while !world.waiting.isEmpty || !world.state.pending.isEmpty {
            world.now += .seconds(2)
            try world.send(mayFail: false)
            while let index = world.waiting.indices.randomElement(using: &world.chance) {
                try world.answer(index, mayFail: false)
            }
        }
        #expect(world.state.nextDeadline == nil)
        if !world.isCalm {
            try world.load()
            try world.answer(0, mayFail: false)
        }
        #expect(try world.state.data == world.truth)
    }
}
