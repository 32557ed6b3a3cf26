"""Prints the messages of Swift files as a template of gettext: extract.py FILE…

A message is the literal first argument of a call of translated(…), and its plural. Literals may be joined by "+". A
comment "// Translators: …" applies to the first call in the lines below it.
"""

import collections
import re
import sys

Message = collections.namedtuple("Message", "singular plural paths comments place")

CALL = re.compile(r"(?<![\w.`])translated\(")
LITERAL = re.compile(r'\s*"((?:[^"\\\n]|\\.)*)"(\s*\+(?=\s*"))?')
PLURAL = re.compile(r"\s*,\s*plural:")
COMMENT = re.compile(r"^\s*// (Translators: .*)((?:\n\s*// .*)*)\n", re.MULTILINE)
ESCAPES = {'\\"': '"', "\\\\": "\\", "\\n": "\n", "\\t": "\t"}
COMMENT_REACH = 4  # lines between the end of a comment and its call


def literal(text, start, place):
    """The value of a literal and the position after it."""
    parts = []
    more = True
    while more:
        match = LITERAL.match(text, start)
        if not match:
            sys.exit(f"{place}: error: the message is no literal. Write it in quotes, without a variable.")
        for escape in re.findall(r"\\.", match[1]):
            if escape not in ESCAPES:
                sys.exit(f"{place}: error: {escape} is not allowed in a message. Use a placeholder in braces.")
        parts.append(re.sub(r"\\.", lambda found: ESCAPES[found[0]], match[1]))
        more, start = match[2] is not None, match.end()
    return "".join(parts), start


def quoted(text):
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\t", "\\t") + '"'


def messages_of(path):
    """The messages of a file, in its order."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    comments = []
    for match in COMMENT.finditer(text):
        more = [line.strip()[3:] for line in match[2].strip().splitlines()]
        comments.append((text.count("\n", 0, match.end()), " ".join([match[1], *more])))
    for call in CALL.finditer(text):
        line_start = text.rfind("\n", 0, call.start()) + 1
        before = text[line_start : call.start()]
        if "//" in before or before.rstrip().endswith("func"):
            continue
        line = text.count("\n", 0, call.start())
        place = f"{path}:{line + 1}"
        singular, end = literal(text, call.end(), place)
        plural = PLURAL.match(text, end)
        comment = [comment for at, comment in comments if 0 <= line - at < COMMENT_REACH][-1:]
        comments = [(at, comment) for at, comment in comments if at > line]
        yield Message(singular, literal(text, plural.end(), place)[0] if plural else None, [path], comment, place)


def merged(messages):
    """Each message once, with all its files."""
    known = {}
    for message in messages:
        first = known.setdefault(message.singular, message)
        if first is message:
            continue
        if first.plural != message.plural:
            sys.exit(f"{message.place}: error: this message has another plural at {first.place}.")
        first.paths.extend(path for path in message.paths if path not in first.paths)
        first.comments.extend(comment for comment in message.comments if comment not in first.comments)
    return known.values()


def entry(message):
    """The message in the format of the template."""
    lines = ["#. " + comment for comment in message.comments] + ["#: " + path for path in message.paths]
    if "{" in message.singular:
        lines.append("#, python-brace-format")
    lines.append("msgid " + quoted(message.singular))
    if message.plural is None:
        lines.append('msgstr ""')
    else:
        lines += ["msgid_plural " + quoted(message.plural), 'msgstr[0] ""', 'msgstr[1] ""']
    return "\n".join(lines) + "\n"


print('msgid ""\nmsgstr ""\n"Project-Id-Version: feedbell\\n"\n"MIME-Version: 1.0\\n"')
print('"Content-Type: text/plain; charset=UTF-8\\n"\n"Content-Transfer-Encoding: 8bit\\n"\n')
for found in merged(message for path in sys.argv[1:] for message in messages_of(path)):
    print(entry(found))
