"""The manual page of a D-Bus interface, from its introspection data and the comments in it."""

import re
import xml.etree.ElementTree as ElementTree

import roff


def page(path, release):
    parser = ElementTree.XMLParser(target=ElementTree.TreeBuilder(insert_comments=True))
    with open(path, encoding="utf-8") as file:
        source = file.read()
    root = ElementTree.fromstring(source, parser=parser)
    # The first comment stands before the root element, where the parser drops it.
    introduction = dedented(re.search(r"<!--(.*?)-->", source, re.DOTALL).group(1))
    first, _, rest = introduction.partition("\n\n")
    parts = [
        roff.title("org.feedbell.Agent1", 7, release), roff.section("NAME"),
        "org.feedbell.Agent1 \\- the D\\-Bus interface of Feedbell",
        roff.section("DESCRIPTION"), roff.blocks(first), roff.blocks(rest),
    ]
    for interface, comment in documented(root, "interface"):
        parts += [roff.section(interface.get("name")), roff.blocks(after_name(comment, interface.get("name")))]
        for kind in ("property", "method", "signal"):
            for member, text in documented(interface, kind):
                parts += describe(member, text)
    parts += [roff.section("SEE ALSO"), "\\fBfeedbell\\fR(1),\n\\fBfeedbell\\-agent\\fR(1),\n\\fBbusctl\\fR(1)"]
    return "\n".join(parts) + "\n"


def documented(parent, kind):
    """The children of a kind, each with the comment before it."""
    comment = None
    for child in parent:
        if child.tag is ElementTree.Comment:
            comment = dedented(child.text)
        else:
            if child.tag == kind:
                if comment is None:
                    raise SystemExit(f"{kind} {child.get('name')} has no comment in the interface's XML.")
                yield child, comment
            comment = None


def describe(member, comment):
    """A heading with the member's signature, its arguments, and its text."""
    name = member.get("name")
    text = after_name(comment, name)
    explained = dict(re.findall(r"^@(\w+): (.*(?:\n(?!@|\n).*)*)", text, re.MULTILINE))
    text = re.sub(r"^@\w+: .*(?:\n(?!@|\n).*)*\n?", "", text, flags=re.MULTILINE)
    arguments = member.findall("arg")
    if member.tag == "property":
        signature = f"{name}: {member.get('type')} ({member.get('access')})"
    else:
        ins = [each for each in arguments if each.get("direction", "in") == "in"]
        outs = [each for each in arguments if each.get("direction") == "out"]
        signature = f"{name}({listed(ins)})" + (f" -> {listed(outs)}" if outs else "")
    parts = [roff.subsection(f"{member.tag} {signature}")]
    for each in arguments:
        if each.get("name") in explained:
            parts.append(roff.item(roff.italic(each.get("name")), " ".join(explained[each.get("name")].split())))
    if text.strip():
        parts.append(roff.blocks(re.sub(r"^Errors: ", "\nErrors: ", text, flags=re.MULTILINE)))
    return parts


def listed(arguments):
    return ", ".join(f"{each.get('type')} {each.get('name')}" for each in arguments)


def after_name(comment, name):
    """The comment without "NAME:" at its beginning, as a sentence."""
    text = re.sub(rf"\A{re.escape(name)}:[ \n]?", "", comment)
    return text[:1].upper() + text[1:]


def dedented(comment):
    """The comment without the indentation of its lines; what is indented further stays so."""
    lines = comment.strip("\n").rstrip().split("\n")
    indent = min(len(each) - len(each.lstrip()) for each in lines if each.strip())
    return "\n".join(each[indent:].rstrip() for each in lines)
