import AgentInterface
import VisibleText

/// The rows and texts of the form.
extension AccountForm {
    package typealias Group = FormGroup<Field>
    package typealias Row = FormRow<Field>

    package var title: String {
        switch purpose {
        case .add: translated("Add Account")
        case .change(let name): translated("Change {account}", ["account": name.nameLine])
        case .signIn(let name): translated("Sign In to {account}", ["account": name.nameLine])
        }
    }

    /// The label of the button that saves.
    package var submitLabel: String {
        switch purpose {
        case .add: translated("Add")
        case .change: translated("Save")
        case .signIn: translated("Sign In")
        }
    }

    /// The line above the form: what is wrong, or what is done; nil: nothing.
    package var message: String? {
        if let text = refusal ?? failure { return text }
        guard isSubmitting else { return nil }
        return isVerified
            ? translated("Asking {service} …", ["service": serviceTitle])
            : translated("Saving…")
    }

    package var groups: [Group] {
        if refusal != nil { return [] }
        if case .signIn = purpose { return [Group(text: Self.signInText, rows: [tokenRow])] }
        guard isLoaded, let service = account.service else { return [] }
        let browserOptions = service.signInOptions
        let shown = account.options.filter { $0.isAsked && !browserOptions.contains($0) }
        var rows = shown.map(row)
        if let login = service.tokenLogin, purpose == .add {
            rows.insert(
                Row(
                    .tokenAlone,
                    title: translated("Sign In with a {token} Alone", ["token": login.label ?? login.tokenName]),
                    value: .toggle(account.hasTokenAlone)
                ),
                at: 0
            )
        }
        if !account.signsInWithBrowser { rows.append(tokenRow) }
        let values = Group(title: service.title, text: isProposed ? Self.proposedText : Self.valuesText, rows: rows)
        return identity + [values, signIn(service), Group(rows: [more])].compactMap(\.self)
    }

    /// Whether the token comes from a sign-in with the browser; nil: it cannot.
    private func signIn(_ service: ServiceDescription) -> Group? {
        if service.signInOptions.isEmpty { return nil }
        let toggle = Row(
            .browser,
            title: translated("Sign In with the Browser"),
            text: account.signInHosts?.sentence
                ?? translated("Your company gives you a token after you have signed in there."),
            value: .toggle(account.signsInWithBrowser)
        )
        let values = service.signInOptions.filter { $0.isAsked && account.signsInWithBrowser }
        return Group(rows: [toggle] + values.map(row))
    }

    private static var valuesText: String {
        translated("Your administrator or the service's dashboard tells you these values.")
    }

    private static var proposedText: String {
        translated("A link or a file proposes these values. Add the account only if your company gave it to you.")
    }

    private static var signInText: String {
        translated("Paste a new token. The present one is kept until the service accepts the new one.")
    }

    /// Only a new account has a choice of its service and its name.
    private var identity: [Group] {
        guard case .add = purpose else { return [] }
        var rows: [Row] = []
        if services.count > 1 {
            let chosen = services.firstIndex { $0 == account.service }
            let choices = services.map(\.title)
            rows.append(Row(.service, title: translated("Service"), value: .choice(chosen), choices: choices))
        }
        let name = Row(
            .name,
            title: translated("Name of the Account"),
            value: .typed(typed[.name] ?? account.name ?? ""),
            problem: problem(.name)
        )
        return [Group(rows: rows + [name])]
    }

    private func row(_ option: ServiceDescription.Option) -> Row {
        let label = option.label ?? option.name
        let title =
            option.defaultValue.map { translated("{label} ({value} if empty)", ["label": label, "value": $0]) } ?? label
        let field = Field.option(option.name)
        if let choices = option.choices {
            let chosen = account.values[option.name].flatMap(choices.firstIndex) ?? -1
            return Row(
                field,
                title: label,
                value: .choice(chosen + 1),
                // Translators: The program chooses itself.
                choices: [translated("Automatic")] + choices
            )
        }
        return Row(
            field,
            title: title,
            value: .typed(typed[field] ?? account.values[option.name] ?? ""),
            problem: problem(field)
        )
    }

    private func problem(_ field: Field) -> String {
        if let problem = problems[field] { return problem }
        guard doubtful.contains(field) else { return "" }
        return field == .token && account.token == nil
            ? translated("The service may need it.") : translated("This may be wrong.")
    }

    private var tokenRow: Row {
        let name = tokenLabel
        let title: String =
            switch purpose {
            case .add: needsToken ? name : translated("{token} (optional)", ["token": name])
            case .change: needsToken ? name : translated("{token} (empty to keep it)", ["token": name])
            case .signIn: translated("New Token")
            }
        return Row(.token, title: title, value: .secret(typed[.token] ?? ""), problem: problem(.token))
    }

    private var more: Row {
        let others = account.options.filter { !$0.isAsked }
        return Row(
            .more,
            title: translated("More Options"),
            rows: others.map(row) + (account.signsInWithBrowser ? [] : [tokenInFile]) + [
                Row(
                    .verification,
                    title: translated("Ask the Service First"),
                    text: translated("Nothing is saved unless it accepts the account."),
                    value: .toggle(isVerified)
                )
            ]
        )
    }

    private var tokenInFile: Row {
        Row(
            .tokenInFile,
            title: translated("Keep the Token in a File"),
            text: translated("Instead of the keyring. Only you can read it."),
            value: .toggle(account.isTokenInFile),
            problem: problem(.tokenInFile)
        )
    }
}

extension ServiceDescription.Option {
    /// Whether a person knows the value, and not only an administrator.
    fileprivate var isAsked: Bool { question != nil && defaultValue == nil }
}
