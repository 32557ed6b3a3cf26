"""Text as roff with the man macros."""

import re

SPECIAL = {"\\": "\\e", "-": "\\-", "'": "\\(aq", "`": "\\(ga", "^": "\\(ha"}


def escape(text):
    """The text as roff prints it: a hyphen stays the character that one can copy into a shell."""
    return text.translate({ord(each): roff for each, roff in SPECIAL.items()})


def line(text):
    """A line of text. One that begins with a dot is no macro."""
    text = escape(text)
    return "\\&" + text if text.startswith(".") else text


def bold(text):
    return f"\\fB{escape(text)}\\fR"


def italic(text):
    return f"\\fI{escape(text)}\\fR"


def title(name, section, release):
    """`release`: version and date."""
    name, (version, date) = escape(name), release
    return f'.TH "{name}" "{section}" "{date}" "Feedbell {version}" "Feedbell"\n.\\" UTF-8\n.nh\n.ad l'


def section(name):
    return f'.SH "{escape(name)}"'


def subsection(name):
    return f'.SS "{escape(name)}"'


def item(term, text):
    """A term, already roff, and its explanation below."""
    return f".TP\n{term}\n{line(text)}" if text else f".TP\n{term}"


def example(lines):
    """Lines that are printed as they are."""
    indent = min(len(each) - len(each.lstrip()) for each in lines if each.strip())
    return "\n".join([".PP", ".RS 4", ".nf", *(line(each[indent:].rstrip()) for each in lines), ".fi", ".RE"])


def blocks(text):
    """Paragraphs; indented lines and tables as they are."""
    output = []
    for block in re.split(r"\n[ \t]*\n", text.strip("\n")):
        if re.search(r"^\S.*\S {3,}\S", block, re.MULTILINE):
            output.append(example(block.split("\n")))
            continue
        run, shown = [], []
        for each in block.split("\n") + [""]:
            if each.startswith((" ", "\t")):
                if run:
                    output.append(".PP\n" + line(" ".join(run)))
                run = []
                shown.append(each)
            else:
                if shown:
                    output.append(example(shown))
                shown = []
                if each:
                    run.append(each)
        if run:
            output.append(".PP\n" + line(" ".join(run)))
    return "\n".join(output)


def without_empty_paragraphs(page):
    """The page without paragraphs that contain nothing, and without those that a heading begins anyway."""
    page = re.sub(r"^(\.PP?\n)\.RE\n", r".RE\n\1", page, flags=re.MULTILINE)
    page = re.sub(r"^\.PP?\n(?=\.(?:SH|SS|RE|PP?)\b)", "", page, flags=re.MULTILINE)
    return re.sub(r"^(\.(?:SH|SS)\b.*\n)\.PP?\n", r"\1", page, flags=re.MULTILINE)
