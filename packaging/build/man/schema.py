"""The JSON schema of the configuration, from its manual page: schema.py PAGE.

A section of the page names its table, such as *[popups]*. A key is a line such as *locked* = "show" | "hide-text", and
the indented lines below explain it. A key of several lines may have each of their types.
"""

import json
import re
import sys

TABLE = re.compile(r"\*(\[+)([a-zA-Z._]+)\]+\*")
KEY = re.compile(r"^(\*\w+\*(?:, \*\w+\*)*) = (.*)$")
SCALARS = {
    "_string_": "string", "_path_": "string", "_integer_": "integer", "_boolean_": "boolean", "_seconds_": "number",
}


def schema(page):
    root = table("The configuration of Feedbell, ~/.config/feedbell/config.toml.")
    for section in re.split(r"^# .*$", page, flags=re.MULTILINE):
        found = TABLE.search(section)
        if found:
            read_section(section, member(root, found.group(2).split("."), found.group(1) == "[["))
    return {"$schema": "http://json-schema.org/draft-07/schema#", "title": "feedbell.toml", **root}


def read_section(section, properties):
    lines = section.split("\n")
    for index, line in enumerate(lines):
        found = KEY.match(line)
        if found:
            text = " ".join(each.strip() for each in explanation(lines[index + 1:])).replace("*", "").replace("_", "")
            for key in re.findall(r"\w+", found.group(1)):
                add(properties, key, kind(found.group(2)), text)


def explanation(lines):
    for line in lines:
        if not line.startswith("\t"):
            return
        yield line


def add(properties, key, value, text):
    """A key that another section explained before may also have this type."""
    if key in properties:
        known = properties[key]
        kinds = known.pop("anyOf", None) or [{each: known.pop(each) for each in list(known) if each != "description"}]
        known["anyOf"] = kinds + [value]
    else:
        properties[key] = {"description": text, **value}


def kind(text):
    """The schema of a value as the page states it."""
    alternatives = [each.strip() for each in text.split(" | ")]
    if len(alternatives) > 1:
        return {"anyOf": [kind(each) for each in alternatives]}
    if text in SCALARS:
        return {"type": SCALARS[text]}
    if text == "_table_":
        return {"type": "object"}
    if text == "true":
        return {"const": True}
    if text == '"HH:MM"':
        return {"type": "string", "pattern": "^([01][0-9]|2[0-3]):[0-5][0-9]$"}
    if text == "_date and time_":
        # Validators get values of TOML's own type as such strings (RFC 3339).
        return {"type": "string", "format": "date-time"}
    if text.startswith("["):
        return {"type": "array", "items": {"type": "string"}}
    if text.startswith("{"):
        return {"type": "object", "additionalProperties": {"type": "string"}}
    if re.fullmatch(r'"[^"]+"', text):
        return {"const": text.strip('"')}
    raise SystemExit(f"{sys.argv[1]}: the type {text} is unknown. Write one that packaging/build/man/schema.py knows.")


def table(text=None):
    described = {"description": text} if text else {}
    return {**described, "type": "object", "properties": {}, "additionalProperties": False}


def member(parent, path, is_array):
    """The properties of a table below `parent`, which is made if it does not exist. NAME is any name."""
    name, *rest = path
    if name == "NAME":
        if parent["additionalProperties"] is False:
            parent["additionalProperties"] = table()
        child = parent["additionalProperties"]
    elif is_array and not rest:
        child = parent["properties"].setdefault(name, {"type": "array", "items": table()})["items"]
    else:
        child = parent["properties"].setdefault(name, table())
    return member(child, rest, is_array) if rest else child["properties"]


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        print(json.dumps(schema(file.read()), indent=2, ensure_ascii=False))


main()
