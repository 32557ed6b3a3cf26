import AgentInterface
import Testing

@testable import Window

@Suite struct RuleFormTests {
    typealias Field = RuleDraft.Field

    private static let now = PageFixture.now
    private static let known = RuleChoices(accounts: ["home", "work"], categories: ["a*", "orders"], tags: ["red"])

    private static func form(_ rule: RuleRecord? = nil) -> RuleForm {
        var form = RuleForm(rule, accounts: known.accounts)
        #expect(form.beginning == [.loadChoices(accounts: ["home", "work"])])
        #expect(form.groups(now: now).isEmpty && !form.canSubmit)
        let effects = form.receive(.choices(known), now: now)
        guard case .tryRule(let first)? = effects.first else {
            Issue.record("not tried")
            return form
        }
        #expect(form.receive(.tried(first, "first"), now: now) == [] && form.message == "first")
        return form
    }

    private static func row(_ form: RuleForm, _ field: Field) -> FormRow<Field>? {
        form.groups(now: now).flatMap(\.rows).first { $0.id == field }
    }

    private static func rule(_ change: (inout RuleConditionsRecord, inout RuleSettingsRecord) -> Void) -> RuleRecord {
        var (rule, conditions, settings) = (RuleRecord(), RuleConditionsRecord(), RuleSettingsRecord())
        change(&conditions, &settings)
        (rule.id, rule.isEditable) = ("r", true)
        (rule.conditions, rule.settings) = (conditions.values, settings.values)
        return rule
    }

    @Test("A new rule is chosen from what exists, says at once what it matches, and is saved when it does something")
    func newRule() throws {
        var form = Self.form()
        #expect(Self.row(form, .category)?.choices == ["All Categories", "a*", "orders", "Other…"])
        #expect(Self.row(form, .tag)?.choices == ["All Tags", "red", "Other…"])
        #expect(Self.row(form, .account)?.choices == ["All Accounts", "home", "work"])
        #expect(!form.canSubmit, "it says nothing")
        guard case .tryRule(let tried)? = form.receive(.set(.category, .choice(1)), now: Self.now).first else {
            Issue.record("not tried")
            return
        }
        #expect(RuleConditionsRecord(tried.conditions).category == ["a\\*"])
        // While it is tried, other changes wait.
        #expect(form.receive(.set(.category, .choice(2)), now: Self.now) == [])
        #expect(form.receive(.set(.account, .choice(2)), now: Self.now) == [])
        guard case .tryRule(let last)? = form.receive(.tried(tried, "of before"), now: Self.now).first else {
            Issue.record("not tried again")
            return
        }
        #expect(form.message != "of before")
        _ = form.receive(.tried(last, RuleForm.result(count: 12)), now: Self.now)
        #expect(form.message == "This matches 12 of your newest notifications.")
        #expect(!form.canSubmit && form.receive(.submit, now: Self.now) == [], "nothing happens by it")
        _ = form.receive(.set(.popup, .toggle(false)), now: Self.now)
        #expect(Self.row(form, .urgency) == nil && Self.row(form, .markRead) != nil)
        _ = form.receive(.set(.end, .choice(1)), now: Self.now)
        #expect(Self.row(form, .end)?.text.hasPrefix("Until ") == true)
        guard case .save(.add(let rule))? = form.receive(.submit, now: Self.now).first else {
            Issue.record("not saved")
            return
        }
        let conditions = RuleConditionsRecord(rule.conditions)
        #expect(conditions.category == ["orders"] && conditions.account == ["work"])
        #expect(RuleSettingsRecord(rule.settings).mute == true && rule.until == Self.now + 3_600_000)
        #expect(form.isSaving && form.receive(.submit, now: Self.now) == [])
        #expect(form.receive(.ended(failure: "No."), now: Self.now) == [] && form.message == "No." && form.canSubmit)
        _ = form.receive(.submit, now: Self.now)
        #expect(form.receive(.ended(failure: nil), now: Self.now) == [.close])
    }

    @Test("What the choices lack is typed, and stays when a rule is changed") func otherPatterns() throws {
        let old = Self.rule {
            ($0.category, $0.tag, $0.text) = (["ci*", "builds"], ["red"], ["*failed*"])
            ($1.urgency, $1.icon) = ("low", "x")
        }
        var form = Self.form(old)
        #expect(Self.row(form, .category)?.value == .choice(3))
        #expect(Self.row(form, .otherCategory)?.value == .typed("ci*, builds"))
        #expect(Self.row(form, .tag)?.value == .choice(1) && Self.row(form, .otherTag) == nil)
        #expect(Self.row(form, .text)?.value == .typed("failed"))
        _ = form.receive(.set(.otherCategory, .typed("ci*, x")), now: Self.now)
        _ = form.receive(.set(.title, .typed("a*b, c")), now: Self.now)
        _ = form.receive(.set(.days, .several([5, 6])), now: Self.now)
        guard case .save(.change("r", let rule))? = form.receive(.submit, now: Self.now).first else {
            Issue.record("not saved")
            return
        }
        let conditions = RuleConditionsRecord(rule.conditions)
        #expect(conditions.category == ["ci*", "x"] && conditions.tag == ["red"] && conditions.text == ["*failed*"])
        #expect(conditions.title == ["a*b", "*c*"] && conditions.days == ["sat", "sun"])
        #expect(RuleSettingsRecord(rule.settings).icon == "x", "what has no row stays")
        _ = form.receive(.ended(failure: "No."), now: Self.now)
        _ = form.receive(.set(.category, .choice(0)), now: Self.now)
        #expect(Self.row(form, .otherCategory) == nil)
    }

    @Test("From and to are times of the locale, and both are needed") func times() throws {
        var form = Self.form(Self.rule { ($0.from, $0.to, $1.sound) = ("09:05", "17:00", "none") })
        #expect(Self.row(form, .from)?.value == .typed("9:05") && form.canSubmit)
        _ = form.receive(.set(.from, .typed("late")), now: Self.now)
        #expect(Self.row(form, .from)?.problem.hasPrefix("\"late\" is not a valid time.") == true && !form.canSubmit)
        _ = form.receive(.set(.from, .typed("")), now: Self.now)
        #expect(Self.row(form, .from)?.problem == "Fill in both times, or none." && !form.canSubmit)
        _ = form.receive(.set(.from, .typed("10 pm")), now: Self.now)
        guard case .save(.change(_, let rule))? = form.receive(.submit, now: Self.now).first else {
            Issue.record("not saved")
            return
        }
        #expect(RuleConditionsRecord(rule.conditions).from == "22:00")
    }

    @Test("A rule reads as people say it") func sentences() {
        let rules = [
            "orders (work): no popups":
                Self.rule { ($0.category, $0.account, $1.mute, $1.badge) = (["orders"], ["work"], true, false) },
            "everything of work: no popups":
                Self.rule { ($0.account, $1.mute, $1.badge) = (["work"], true, false) },
            "ci* or b, tag red: critical urgency":
                Self.rule { ($0.category, $0.tag, $1.urgency) = (["ci*", "b"], ["red"], "critical") },
            "\"failed\" in the title: no sound, not counted":
                Self.rule { ($0.title, $1.sound, $1.badge) = (["*failed*"], "none", false) },
            "every notification, from 22:00 to 7:00 on Saturday, Sunday: no popups":
                Self.rule { ($0.from, $0.to, $0.days, $1.mute) = ("22:00", "07:00", ["sat", "sun"], true) },
        ]
        for (sentence, rule) in rules {
            var rule = rule
            #expect(rule.sentence(now: Self.now) == sentence)
            rule.until = Self.now + 86_400_000
            let clock = LocalTime(rule.until).clock
            #expect(rule.sentence(now: Self.now) == sentence + " until tomorrow, \(clock)")
        }
    }
}
