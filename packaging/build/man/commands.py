"""The manual pages of a program, from what its parser knows: the output of PROGRAM --experimental-dump-help."""

import re

import roff

EXIT_CODES = re.compile(r"^Exit codes: (.*)\.$", re.MULTILINE)


def pages(program, release, one_page):
    """Name → page. A program is one page, or one page and another for each of its subcommands."""
    name = program["commandName"]
    subcommands = subcommands_of(program)
    see = [f"{name}-{each['commandName']}" for each in subcommands] if not one_page else []
    output = {name: page(program, name, release, subcommands if one_page else [], subcommands, see)}
    if not one_page:
        for each in subcommands:
            names = f"{name}-{each['commandName']}"
            output[names] = page(each, f"{name} {each['commandName']}", release, subcommands_of(each), [], [name])
    return output


def subcommands_of(command):
    return [
        each for each in command.get("subcommands", []) if each["shouldDisplay"] and each["commandName"] != "help"
    ]


def page(command, usage, release, described, listed, see):
    """`usage`: how to call the command; `described`: subcommands on this page; `listed`: those that it only lists."""
    name = usage.replace(" ", "-")
    abstract = command["abstract"]
    parts = [
        roff.title(name, 1, release), roff.section("NAME"), f"{roff.escape(name)} \\- {roff.escape(abstract)}",
        roff.section("SYNOPSIS"), synopsis(command, usage),
    ]
    parts += [".br\n" + synopsis(each, f"{usage} {each['commandName']}") for each in described]
    text, codes = without_exit_codes(command.get("discussion", ""))
    if text:
        parts += [roff.section("DESCRIPTION"), roff.blocks(text)]
    parts += options(command, roff.section("OPTIONS"))
    if listed and not described:
        parts.append(roff.section("COMMANDS"))
        for each in listed:
            parts.append(roff.item(roff.bold(f"{usage}-{each['commandName']}") + "(1)", each["abstract"]))
    if described:
        parts.append(roff.section("COMMANDS"))
        for each in described:
            parts += subcommand(each, f"{usage} {each['commandName']}")
    if codes:
        parts += [roff.section("EXIT STATUS"), *exit_codes(codes)]
    programs = ["feedbell", "feedbell-agent", "feedbell-window", "feedbell-sandbox"]
    parts += [roff.section("SEE ALSO"), see_also(see + programs, name)]
    return "\n".join(parts) + "\n"


def subcommand(command, usage):
    text, codes = without_exit_codes(command.get("discussion", ""))
    parts = [roff.subsection(usage), roff.line(command["abstract"] + "."), ".PP", synopsis(command, usage)]
    if text:
        parts.append(roff.blocks(text))
    parts += options(command, None)
    if codes:
        parts += [".PP\nExit status:", *exit_codes(codes)]
    return parts


def synopsis(command, usage):
    words = [roff.bold(usage)]
    for each in arguments(command):
        if each["valueName"] in ("help", "version"):
            continue
        word = spelling(each, each.get("preferredName"))
        if each["isRepeating"]:
            word += " …"
        words.append(f"[{word}]" if each["isOptional"] else word)
    if subcommands_of(command) and len(words) == 1:
        words.append(f"[{roff.italic('subcommand')}]")
    return " ".join(words)


def arguments(command):
    """What is particular to a command: --help and --version are shown with the program alone."""
    common = ("help", "version") if command.get("superCommands") else ()
    return [
        each for each in command.get("arguments", []) if each["shouldDisplay"] and each["valueName"] not in common
    ]


def options(command, heading):
    parts = [heading] if heading and arguments(command) else []
    for each in arguments(command):
        names = each.get("names") or [None]
        text = each.get("abstract", "")
        default = each.get("defaultValue")
        if default and "default:" not in text:
            text += f" (default: {default})"
        if each.get("allValues"):
            text += f" (values: {', '.join(each['allValues'])})"
        parts.append(roff.item(", ".join(spelling(each, name) for name in names), text))
    return parts


def spelling(argument, name):
    """An argument as one types it, in roff."""
    value = roff.italic(argument["valueName"])
    if argument["kind"] == "positional":
        return value
    dashes = {"long": "--", "short": "-", "longWithSingleDash": "-"}[name["kind"]]
    option = roff.bold(dashes + name["name"])
    return option if argument["kind"] == "flag" else f"{option} {value}"


def without_exit_codes(text):
    found = EXIT_CODES.search(text)
    return (EXIT_CODES.sub("", text).strip(), found.group(1)) if found else (text, None)


def exit_codes(codes):
    """From "0 success, 3 no agent is running": one item for each."""
    return [roff.item(roff.bold(code), text) for code, text in re.findall(r"(\d+) (.*?)(?:, (?=\d)|$)", codes)]


def see_also(names, own):
    unique = [name for name in dict.fromkeys(names) if name != own]
    pages_ = [f"{roff.bold(name)}(1)" for name in unique]
    return ",\n".join(pages_ + [f"{roff.bold('feedbell.toml')}(5)", f"{roff.bold('org.feedbell.Agent1')}(7)"])
