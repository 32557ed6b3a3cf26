"""Writes manual pages: generate.py VERSION DATE INTERFACE DIRECTORY. See packaging/build/manuals.

The directory contains PROGRAM.json for each program, the output of PROGRAM --experimental-dump-help, and the page of
the configuration as scdoc writes it.
"""

import json
import pathlib
import sys

import commands
import interface
import roff


def main():
    version, date, introspection, directory = sys.argv[1:]
    release, directory = (version, date), pathlib.Path(directory)
    configuration = directory / "feedbell.toml.5"
    pages = {configuration.name: configuration.read_text(encoding="utf-8")}
    for dump in directory.glob("*.json"):
        command = json.loads(dump.read_text(encoding="utf-8"))["command"]
        one_page = command["commandName"] != "feedbell"
        for name, page in commands.pages(command, release, one_page).items():
            pages[f"{name}.1"] = page
    pages["org.feedbell.Agent1.7"] = interface.page(introspection, release)
    for name, page in pages.items():
        (directory / name).write_text(roff.without_empty_paragraphs(page), encoding="utf-8")


main()
