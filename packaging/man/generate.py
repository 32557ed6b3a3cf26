"""Writes manual pages: generate.py VERSION INTERFACE DIRECTORY. See packaging/manuals.

The directory contains PROGRAM.json for each program, the output of PROGRAM --experimental-dump-help.
"""

import json
import pathlib
import sys

import commands
import interface


def main():
    version, introspection, directory = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
    for dump in directory.glob("*.json"):
        command = json.loads(dump.read_text(encoding="utf-8"))["command"]
        one_page = command["commandName"] != "feedbell"
        for name, page in commands.pages(command, version, one_page).items():
            (directory / f"{name}.1").write_text(page, encoding="utf-8")
    page = interface.page(introspection, version)
    (directory / "org.feedbell.Agent1.5").write_text(page, encoding="utf-8")


main()
