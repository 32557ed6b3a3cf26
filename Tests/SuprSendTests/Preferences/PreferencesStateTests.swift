import ClientKit
import Testing

@testable import SuprSend

/// Worked examples of preference changes and their rules, without clock and network.
@Suite final class PreferencesStateTests {
    private var state = PreferencesState()

    init() throws {
        let number = state.beginLoad()
        state.finishLoad(number, PreferenceArgs(), try preferences())
    }

    private var category: PreferenceCategory {
        get throws { try #require(state.data?.category("refund-news")) }
    }

    /// `androidpush email inbox whatsapp`, 1 for opted in.
    private var channels: String {
        get throws { try category.channels.map { $0.preference == .optIn ? "1" : "0" }.joined() }
    }

    private func edit(_ edit: PreferenceEdit, _ args: PreferenceArgs = .init(), at time: Duration = .zero)
        throws
    {
        _ = try state.update(edit, args, now: time)
    }

    /// Why the edit is refused; nil: it was made.
    private func refusal(_ edit: PreferenceEdit, _ args: PreferenceArgs = .init()) -> SuprSendError? {
        do { _ = try state.update(edit, args, now: .zero) } catch { return error }
        return nil
    }

    /// The request that is due at this time.
    private func due(at time: Duration) -> PreferencesState.Request? { state.begin(now: time) }

    private func body(_ request: PreferencesState.Request?) -> String? {
        request.flatMap { PreferenceCall($0.operation, routes: .subscriber).body }
    }

    private func inbox(_ preference: PreferenceOption) -> PreferenceEdit {
        .channel("inbox", preference, category: "refund-news")
    }

    private func whatsapp(_ preference: PreferenceOption) -> PreferenceEdit {
        .channel("whatsapp", preference, category: "refund-news")
    }

    /// The state after the category was opted out and the service answered.
    private func optOut() throws {
        try edit(.category("refund-news", .optOut))
        let request = try #require(due(at: .seconds(1)))
        #expect(try state.finish(request, confirmation(optedOutJSON)) == .confirmed)
    }

    @Test("A channel change is shown at once and sent after a second") func channelOptOut() throws {
        try edit(inbox(.optOut))
        #expect(try (channels, category.preference) == ("1100", .optIn))
        #expect(state.nextDeadline == .seconds(1))
        #expect(due(at: .milliseconds(999)) == nil)
        let request = try #require(due(at: .seconds(1)))
        #expect(body(request) == #"{"opt_out_channels":["inbox","whatsapp"],"preference":"opt_in"}"#)
        let scope = RequestScope(hosts: Hosts(), distinctID: "user-1", tenantID: nil)
        #expect(
            PreferenceCall(request.operation, routes: .subscriber).url(in: scope)
                == "https://hub.suprsend.com/v2/subscriber/user-1/category/refund-news/?show_opt_out_channels=true"
        )
        #expect(state.nextDeadline == nil)
    }

    @Test("The channels of an opted-out category follow with the service's answer") func categoryOptOut() throws {
        try edit(.category("refund-news", .optOut))
        #expect(try (channels, category.preference) == ("1110", .optOut))
        let request = try #require(due(at: .seconds(1)))
        #expect(body(request) == #"{"opt_out_channels":["whatsapp"],"preference":"opt_out"}"#)
        #expect(try state.finish(request, confirmation(optedOutJSON)) == .confirmed)
        #expect(try (channels, category.preference) == ("0000", .optOut))
        #expect(state.pending.isEmpty)
    }

    @Test("Opting in to a category sends no list of channels") func categoryOptIn() throws {
        try optOut()
        try edit(.category("refund-news", .optIn), at: .seconds(5))
        #expect(body(due(at: .seconds(6))) == #"{"preference":"opt_in"}"#)
    }

    @Test("Opting in to a category with hidden channels sends all of them as opted out")
    func categoryOptInWithHiddenChannels() throws {
        try optOut()
        try edit(.category("refund-news", .optIn), .init(showOptOutChannels: false), at: .seconds(5))
        #expect(
            body(due(at: .seconds(6)))
                == #"{"opt_out_channels":["androidpush","email","inbox","whatsapp"],"preference":"opt_in"}"#
        )
    }

    @Test("Opting in to a channel of an opted-out category opts in to the category") func channelOptIn() throws {
        try optOut()
        try edit(whatsapp(.optIn), at: .seconds(5))
        #expect(try (channels, category.preference) == ("0001", .optIn))
        #expect(
            body(due(at: .seconds(6)))
                == #"{"opt_out_channels":["androidpush","email","inbox"],"preference":"opt_in"}"#
        )
    }

    @Test("What is not editable rejects changes, and names itself") func notEditable() throws {
        let before = state.data
        let email = PreferenceEdit.channel("email", .optOut, category: "refund-news")
        let error = refusal(email)
        #expect(error?.message.contains("\"email\" of the category \"refund-news\"") == true)
        #expect(state.data == before && state.pending.isEmpty)

        let number = state.beginLoad()
        let locked = preferencesJSON.replacing(
            #""preference":"opt_in","is_editable":true,"channels""#,
            with: #""preference":"opt_in","is_editable":false,"channels""#
        )
        state.finishLoad(number, PreferenceArgs(), try preferences(locked))
        let second = refusal(.category("refund-news", .optOut))
        #expect(second?.message.contains("category \"refund-news\"") == true)
        try edit(inbox(.optOut))
        #expect(try channels == "1100")
    }

    @Test("Changes of a category within a second are one request") func mergedChanges() throws {
        try edit(inbox(.optOut), at: .zero)
        try edit(whatsapp(.optIn), at: .milliseconds(400))
        try edit(.category("refund-news", .optOut), at: .milliseconds(900))
        #expect(due(at: .milliseconds(1899)) == nil)
        let request = due(at: .milliseconds(1900))
        #expect(body(request) == #"{"opt_out_channels":["inbox"],"preference":"opt_out"}"#)
        #expect(due(at: .seconds(9)) == nil)
    }

    @Test("A change and its reversal within a second send the last value") func revertedChange() throws {
        try edit(.category("refund-news", .optOut), at: .zero)
        try edit(.category("refund-news", .optIn), at: .milliseconds(500))
        #expect(due(at: .milliseconds(1499)) == nil)
        #expect(
            body(due(at: .milliseconds(1500))) == #"{"opt_out_channels":["whatsapp"],"preference":"opt_in"}"#,
            "the service opted in all the time: nothing changes"
        )
    }

    @Test("A channel switched on right after its category was switched off is sent")
    func channelOnAfterCategoryOff() throws {
        try edit(.category("refund-news", .optOut), at: .zero)
        let (shown, isQueued) = try state.update(inbox(.optIn), .init(), now: .milliseconds(500))
        #expect(isQueued)
        #expect(shown.category("refund-news")?.preference == .optIn)
        #expect(state.nextDeadline == .milliseconds(1500))
        #expect(
            body(due(at: .milliseconds(1500))) == #"{"opt_out_channels":["whatsapp"],"preference":"opt_in"}"#
        )
    }

    @Test("A channel switched off before its category is switched on again stays off in the request")
    func channelOffBetweenCategoryChanges() throws {
        try edit(.category("refund-news", .optOut), at: .zero)
        try edit(inbox(.optOut), at: .milliseconds(100))
        try edit(.category("refund-news", .optIn), at: .milliseconds(200))
        #expect(try (channels, category.preference) == ("1100", .optIn))
        #expect(
            body(due(at: .milliseconds(1200))) == #"{"opt_out_channels":["inbox","whatsapp"],"preference":"opt_in"}"#
        )
    }

    @Test("A change of an overall channel is confirmed in part, because categories depend on it") func overallChannel()
        throws
    {
        try edit(.level("email", .required))
        #expect(state.data?.channel("email")?.isRestricted == true)
        let request = try #require(due(at: .seconds(1)))
        #expect(body(request) == #"{"channel_preferences":[{"channel":"email","is_restricted":true}]}"#)
        let answer =
            #"""
            {"channel_preferences":[{"channel":"email","is_restricted":true},\#
            {"channel":"inbox","is_restricted":false}]}
            """#
        // Categories depend on it.
        #expect(try state.finish(request, confirmation(answer)) == .confirmedInPart)
        #expect(state.data?.channel("email")?.level == .required)
    }

    /// The service's own clients keep showing the failed value.
    @Test("A failed change is reverted") func failedChange() throws {
        let before = state.data
        try edit(inbox(.optOut))
        let request = try #require(due(at: .seconds(1)))
        #expect(state.finish(request, nil) == .failed)
        #expect(state.data == before && state.pending.isEmpty)
    }

    // MARK: Checks

    private static let withoutLists = #"{"sections":null,"channel_preferences":null}"#
    private static let empty = #"{"sections":[{"name":null}],"channel_preferences":[]}"#
    private static let locked = """
        {"sections":[{"subcategories":[{"category":"refund-news","preference":"opt_in","is_editable":false,"channels":[
        {"channel":"inbox","preference":"opt_in","is_editable":false}]}]}],"channel_preferences":[]}
        """

    @Test(
        "A change that is not allowed is refused, and the error names its target",
        arguments: [
            // The arguments are checked before the data.
            (nil, .category("", .optIn), .invalidArgument, "category is empty"),
            (nil, .category("x", .init(rawValue: "maybe")), .invalidArgument, "preference \"maybe\""),
            (nil, .channel("", .optIn, category: ""), .invalidArgument, "channel is empty"),
            (nil, .channel("x", .optIn, category: ""), .invalidArgument, "category is empty"),
            (
                nil, .channel("x", .init(rawValue: ""), category: "x"), .invalidArgument,
                "preference \"\" cannot be set; use optIn or optOut"
            ),
            (nil, .level("", .all), .invalidArgument, "channel is empty"),
            (nil, .digest(.init(id: "daily"), category: ""), .invalidArgument, "category is empty"),
            (nil, .digest(.init(id: ""), category: "x"), .invalidArgument, "category \"x\" has an empty id"),
            (nil, .properties([], category: ""), .invalidArgument, "category is empty"),
            (nil, .properties([], category: "x"), .invalidArgument, "No property of the category \"x\""),
            (
                nil, .properties([.init(key: "", value: 1)], category: "x"), .invalidArgument,
                "category \"x\" has an empty key"
            ),
            (
                nil, .properties([.init(key: "k", value: .null)], category: "x"), .invalidArgument,
                "\"k\" of the category \"x\" has no value"
            ),
            // Then the data.
            (nil, .category("x", .optIn), .invalidState, "not loaded; call getPreferences()"),
            (
                nil, .channel("x", .optIn, category: "x"), .invalidState,
                "not loaded; call getPreferences()"
            ),
            (nil, .level("x", .all), .invalidState, "not loaded; call getPreferences()"),
            (
                nil, .digest(.init(id: "d"), category: "x"), .invalidState,
                "not loaded; call getPreferences()"
            ),
            (
                withoutLists, .category("x", .optIn), .invalidState,
                "\"x\" cannot be changed: the service sent no categories"
            ),
            (
                withoutLists, .channel("x", .optIn, category: "x"), .invalidState,
                "\"x\" cannot be changed: the service sent no categories"
            ),
            (
                withoutLists, .properties([.init(key: "k", value: 1)], category: "x"), .invalidState,
                "\"x\" cannot be changed: the service sent no categories"
            ),
            (
                withoutLists, .level("x", .all), .invalidState,
                "\"x\" cannot be changed: the service sent no list of channels"
            ),
            // Then the thing itself.
            (empty, .category("x", .optIn), .notFound, "no category \"x\""),
            (empty, .channel("x", .optIn, category: "x"), .notFound, "no category \"x\""),
            (empty, .digest(.init(id: "d"), category: "x"), .notFound, "no category \"x\""),
            (empty, .level("x", .all), .notFound, "no channel \"x\""),
            (
                locked, .channel("fax", .optIn, category: "refund-news"), .notFound,
                "category \"refund-news\" has no channel \"fax\""
            ),
            // Even where nothing would change.
            (
                locked, .category("refund-news", .optIn), .invalidArgument,
                "category \"refund-news\" cannot be switched on or off"
            ),
            (
                locked, .channel("inbox", .optIn, category: "refund-news"), .invalidArgument,
                "channel \"inbox\" of the category \"refund-news\" cannot be"
            ),
        ] as [(String?, PreferenceEdit, SuprSendError.Kind, String)]
    )
    func checks(data: String?, edit: PreferenceEdit, kind: SuprSendError.Kind, named: String) throws {
        state = PreferencesState()
        if let data {
            let number = state.beginLoad()
            state.finishLoad(number, PreferenceArgs(), try preferences(data))
        }
        let before = state.data
        let error = try #require(refusal(edit))
        #expect((error.kind, error.serviceType) == (kind, "VALIDATION_ERROR"))
        #expect(error.message.contains(named), "\(error.message)")
        #expect(state.data == before && state.pending.isEmpty && state.nextDeadline == nil)
    }

    @Test(
        "An empty tag or locale is rejected",
        arguments: [
            (PreferenceArgs(tags: .text("")), "tag"), (PreferenceArgs(locale: ""), "locale"),
        ]
    )
    func invalidArguments(args: PreferenceArgs, named: String) throws {
        let error = refusal(.category("refund-news", .optOut), args)
        #expect(error?.kind == .invalidArgument && error?.message.contains(named) == true)
    }

    // MARK: Requests

    @Test("An unchanged value is not queued, and a pending change is still sent")
    func unchangedValue() throws {
        #expect(try !state.update(.category("refund-news", .optIn), .init(), now: .zero).isQueued)
        #expect(state.nextDeadline == nil)
        try edit(.category("refund-news", .optOut))
        #expect(try !state.update(.category("refund-news", .optOut), .init(), now: .milliseconds(900)).isQueued)
        #expect(state.nextDeadline == .seconds(1))
    }

    @Test("Each category and each overall channel has its own delay") func separateDelays() throws {
        try edit(.category("refund-news", .optOut), at: .zero)
        try edit(.level("email", .required), at: .milliseconds(300))
        try edit(.level("inbox", .required), at: .milliseconds(600))
        #expect(due(at: .seconds(1))?.target == .category("refund-news"))
        #expect(state.nextDeadline == .milliseconds(1300))
        #expect(due(at: .milliseconds(1300))?.target == .channel("email"))
        #expect(due(at: .milliseconds(1600))?.target == .channel("inbox"))
    }

    /// Each target has one request at a time; a later change waits for the answer, and a failure does not revert it.
    @Test("A change made during a request that fails is kept and sent") func changeDuringFailure() throws {
        try edit(inbox(.optOut))
        let first = try #require(due(at: .seconds(1)))
        try edit(whatsapp(.optIn), at: .seconds(2))
        #expect(due(at: .seconds(9)) == nil)
        #expect(try channels == "1101")
        #expect(state.finish(first, nil) == .failed)
        #expect(try channels == "1111")
        #expect(body(due(at: .seconds(9))) == #"{"opt_out_channels":[],"preference":"opt_in"}"#)
    }

    /// A change of a digest or property is a separate request without delay, and sends earlier changes first.
    @Test("Digests and properties are sent at once and in order") func details() throws {
        try edit(inbox(.optOut), at: .zero)
        try edit(.digest(.init(id: "daily", time: "09:00"), category: "refund-news"), at: .milliseconds(100))
        try edit(.properties([.init(key: "min", value: 100)], category: "refund-news"), at: .milliseconds(200))
        try edit(whatsapp(.optIn), at: .milliseconds(300))
        let expected = [
            #"{"opt_out_channels":["inbox","whatsapp"],"preference":"opt_in"}"#,
            #"""
            {"digest_schedule":{"id":"daily","time":"09:00"},"opt_out_channels":["inbox","whatsapp"],\#
            "preference":"opt_in"}
            """#,
            #"""
            {"opt_out_channels":["inbox","whatsapp"],"preference":"opt_in","properties":[{"key":"min","value":100}]}
            """#,
        ]
        for expected in expected {
            let request = try #require(due(at: .milliseconds(300)))
            #expect(body(request) == expected)
            #expect(due(at: .milliseconds(300)) == nil)
            #expect(state.finish(request, PreferenceConfirmation()) == .confirmedInPart)
        }
        #expect(due(at: .milliseconds(300)) == nil)
        #expect(body(due(at: .milliseconds(1300))) == #"{"opt_out_channels":["inbox"],"preference":"opt_in"}"#)
    }

    @Test("Arguments that an update omits are those of the load")
    func omittedArguments() throws {
        let args = PreferenceArgs(tenantID: "acme", showOptOutChannels: false, tags: .or(["a"]), locale: "es-AR")
        let number = state.beginLoad()
        state.finishLoad(number, args, try preferences())
        try edit(inbox(.optOut))
        let first = try #require(due(at: .seconds(1)))
        #expect(first.args == args)
        try edit(.level("email", .required), at: .seconds(1))
        #expect(due(at: .seconds(2))?.args.tenantID == "acme")
        #expect(state.finish(first, nil) == .failed)
        try edit(whatsapp(.optIn), .init(showOptOutChannels: true, tags: .text("b")), at: .seconds(3))
        #expect(
            due(at: .seconds(4))?.args
                == PreferenceArgs(tenantID: "acme", showOptOutChannels: true, tags: .text("b"), locale: "es-AR")
        )
    }

    /// A failed load changes nothing, its arguments included.
    @Test("A failed load has no effect") func failedLoad() throws {
        let before = state.data
        let number = state.beginLoad()
        #expect(state.finishLoad(number, PreferenceArgs(locale: "fr"), nil) == before)
        try edit(inbox(.optOut))
        #expect(due(at: .seconds(1))?.args == PreferenceArgs())
    }

    @Test("An answer without a category confirms the change") func emptyAnswer() throws {
        try edit(inbox(.optOut))
        let request = try #require(due(at: .seconds(1)))
        #expect(try state.finish(request, confirmation(#"{"status":"success"}"#)) == .confirmedInPart)
        #expect(try channels == "1100")
        #expect(state.pending.isEmpty)
    }

    @Test("Members that an answer omits keep their value") func omittedMembers() throws {
        try edit(inbox(.optOut))
        let request = try #require(due(at: .seconds(1)))
        let answer = #"{"category":"refund-news","preference":"opt_out"}"#
        #expect(try state.finish(request, confirmation(answer)) == .confirmed)
        #expect(try (category.name, category.preference) == ("Refund news", .optOut))
        #expect(try channels == "1110")
    }

    @Test("A request that is put back is sent again") func putBack() throws {
        try edit(inbox(.optOut))
        let request = try #require(due(at: .seconds(1)))
        state.requeue(request)
        #expect(body(due(at: .seconds(1))) == body(request))
    }

    // MARK: Answers in another order

    @Test("A load does not replace a pending change") func loadDuringChange() throws {
        let number = state.beginLoad()
        try edit(inbox(.optOut))
        state.finishLoad(number, PreferenceArgs(), try preferences())
        #expect(try channels == "1100")
        let request = try #require(due(at: .seconds(1)))
        let second = state.beginLoad()
        state.finishLoad(second, PreferenceArgs(), try preferences())
        #expect(try channels == "1100")
        #expect(state.finish(request, nil) == .failed)
        #expect(try channels == "1110")
    }

    @Test("A load requested earlier does not replace a confirmed category")
    func staleLoad() throws {
        let number = state.beginLoad()
        try optOut()
        state.finishLoad(number, PreferenceArgs(), try preferences())
        #expect(try channels == "0000")
        let later = state.beginLoad()
        state.finishLoad(later, PreferenceArgs(), try preferences())
        #expect(try channels == "1110")
    }

    @Test("Of two loads, the later request counts") func twoLoads() throws {
        let (first, second) = (state.beginLoad(), state.beginLoad())
        let other = preferencesJSON.replacing("Refund news", with: "Reembolsos")
        state.finishLoad(second, PreferenceArgs(locale: "es"), try preferences(other))
        state.finishLoad(first, PreferenceArgs(), try preferences())
        #expect(try category.name == "Reembolsos")
        #expect(state.args(of: nil)?.locale == "es")
        // A repeated load does not change the shown tenant.
        let again = state.beginLoad()
        state.finishLoad(again, PreferenceArgs(), try preferences(), again: true)
        #expect(try category.name == "Reembolsos")
    }

    @Test("A change of a category that a later load omits is still sent") func hiddenCategory() throws {
        try edit(inbox(.optOut))
        let number = state.beginLoad()
        state.finishLoad(number, PreferenceArgs(tags: .text("none")), try preferences(Self.empty))
        #expect(
            body(due(at: .seconds(1))) == #"{"opt_out_channels":["inbox","whatsapp"],"preference":"opt_in"}"#
        )
    }

    @Test("Changes of different tenants are separate requests") func separateTenants() throws {
        try edit(inbox(.optOut))
        let number = state.beginLoad()
        state.finishLoad(number, PreferenceArgs(tenantID: "acme"), try preferences())
        #expect(try channels == "1110")
        try edit(.category("refund-news", .optOut), at: .milliseconds(500))
        let first = try #require(due(at: .seconds(1)))
        #expect(first.args.tenantID == nil)
        let second = try #require(due(at: .milliseconds(1500)))
        #expect(second.args.tenantID == "acme")
        #expect(body(second) == #"{"opt_out_channels":["whatsapp"],"preference":"opt_out"}"#)
        let error = refusal(.category("refund-news", .optOut), .init(tenantID: "other"))
        #expect(error?.message.contains("tenant \"other\" are not loaded") == true)
        // A repeated load of a tenant does not show it.
        let again = state.beginLoad()
        state.finishLoad(again, PreferenceArgs(), try preferences(), again: true)
        #expect(try category.preference == .optOut)
    }

    @Test("The answer to a discarded change is ignored") func discardedChange() throws {
        let number = state.beginLoad()
        try edit(inbox(.optOut))
        let request = try #require(due(at: .seconds(1)))
        state.discard()
        #expect(state.finish(request, PreferenceConfirmation()) == .discarded)
        #expect(try state.finishLoad(number, PreferenceArgs(), preferences()) == nil)
        #expect(state.data == nil && state.pending.isEmpty && state.nextDeadline == nil)
    }
}
