#!/usr/bin/python3
"""Builds the documentation as a static web site and checks its links.

usage: build.py PROGRAM GRAPHS OUTPUT

The pages are README.md and the other Markdown files of the project, each at its own path with .html at the end;
whatever else they link to is copied. Besides, there are the manual of the built program and the library's reference,
of the symbol graphs as `swift package dump-symbol-graph` leaves them. With DOCS_BASE set the reference works below that
path of a host, for example `/aurient`. Links to other sites are not followed.
"""

import html
import os
import re
import shutil
import subprocess
import sys
import tempfile
import urllib.parse

from markdown_it import MarkdownIt
from mdit_py_plugins.anchors import anchors_plugin

PROJECT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
MANUAL = "manual/aurient.html"
API = "api/documentation/index.html"
# What stands beside every page.
CONTENTS = [
    ("Aurient", [
        ("README.md", "Overview"), ("docs/installing.md", "Installing"),
        ("docs/for-prototypers.md", "For prototypers"),
        ("docs/for-listening-tests.md", "For listening tests"),
        ("docs/for-embedders.md", "For embedders")]),
    ("Topics", [
        ("docs/beacons.md", "Beacons"), ("docs/head-tracking.md", "Head tracking"),
        ("docs/motion-sources.md", "Sources of motion"), ("docs/compass.md", "Compass"),
        ("docs/hrtf.md", "HRTF"), ("docs/live.md", "Live"), ("docs/live-inputs.md", "Live inputs"),
        ("docs/playback.md", "Playback"), ("docs/serve.md", "Service and OSC"),
        ("docs/motion-log.md", "Motion log"), ("docs/listening-tests.md", "Designs of listening tests"),
        ("docs/listening-page.md", "The participants' page"),
        ("docs/listening-analysis.md", "Analysis of results"),
        ("docs/embedding.md", "Swift, C and C++"), ("docs/python.md", "Python")]),
    ("Reference", [
        (MANUAL, "Manual"), (API, "Swift library"), ("docs/file-formats.md", "File formats"),
        ("docs/coordinates.md", "Coordinates"), ("docs/fidelity.md", "Fidelity"),
        ("docs/troubleshooting.md", "Trouble-shooting"), ("docs/compatibility.md", "Compatibility"),
        ("CHANGELOG.md", "Changelog"), ("CONTRIBUTING.md", "Contributing")]),
]
# In the order in which each may refer to those before it.
MODULES = [
    "Files", "Geometry", "Compass", "HeadTracking", "MotionLog", "Navigation", "HRTF", "SpatialAudio",
    "Aurient",
]


def slug(text):
    """The name of a heading's anchor, as GitHub makes it."""
    return re.sub(r"[^\w\- ]", "", text.strip().lower()).replace(" ", "-")


class Site:
    def __init__(self, output):
        self.output = output
        self.waiting = []
        self.seen = set()
        self.faults = []
        self.markdown = MarkdownIt("commonmark").enable("table").use(
            anchors_plugin, max_level=4, slug_func=slug)

    def place(self, path):
        """Where a file of the project is on the site."""
        if os.path.isdir(f"{PROJECT}/{path}"):
            return f"{path}/index.html"
        if path == "README.md":
            return "index.html"
        if path.endswith("/README.md"):
            return path[:-len("README.md")] + "index.html"
        return path[:-3] + ".html" if path.endswith(".md") else path

    def add(self, path):
        if path not in self.seen:
            self.seen.add(path)
            self.waiting.append(path)

    def link(self, page, target):
        """A link of a page of the project as it is on the site."""
        if target.startswith(("http:", "https:")):
            return target
        if target == "api:documentation":
            return self.relative(page, API)
        name, hash_, anchor = target.partition("#")
        if not name:
            return target
        path = os.path.normpath(os.path.join(os.path.dirname(page), urllib.parse.unquote(name)))
        if path.startswith("..") or not os.path.exists(f"{PROJECT}/{path}"):
            self.faults.append(f"{page}: there is no {target}")
            return target
        readme = f"{path}/README.md"
        if os.path.isdir(f"{PROJECT}/{path}") and os.path.exists(f"{PROJECT}/{readme}"):
            path = readme
        self.add(path)
        return self.relative(page, self.place(path)) + hash_ + anchor

    def relative(self, page, place):
        folder = os.path.dirname(page if page.endswith("/") else self.place(page))
        return os.path.relpath(place, folder or ".")

    def write(self, page, title, body, place=None):
        """A page with all that stands beside it."""
        place = place or self.place(page)
        folder = os.path.dirname(place) or "."
        navigation = ""
        for heading, entries in CONTENTS:
            navigation += f"<h2>{heading}</h2><ul>"
            for path, name in entries:
                target = self.place(path) if path.endswith(".md") else path
                current = ' aria-current="page"' if target == place else ""
                navigation += f'<li><a href="{os.path.relpath(target, folder)}"{current}>{name}</a></li>'
            navigation += "</ul>"
        style = os.path.relpath("style.css", folder)
        text = (
            '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
            '<meta name="viewport" content="width=device-width, initial-scale=1">'
            f"<title>{html.escape(title)} - Aurient</title>"
            f'<link rel="stylesheet" href="{style}"></head><body>'
            f'<a class="skip" href="#content">To the text</a><nav aria-label="Pages">{navigation}</nav>'
            f'<main id="content">\n{body}</main></body></html>\n')
        self.put(place, text)

    def put(self, place, text):
        path = f"{self.output}/{place}"
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)

    def build_page(self, path):
        with open(f"{PROJECT}/{path}", encoding="utf-8") as file:
            tokens = self.markdown.parse(file.read())
        title = path
        for index, token in enumerate(tokens):
            if token.type == "heading_open" and token.tag == "h1":
                title = tokens[index + 1].content
            for part in token.children or []:
                for name in ("href", "src"):
                    if name in part.attrs:
                        part.attrs[name] = self.link(path, part.attrs[name])
        body = self.markdown.renderer.render(tokens, self.markdown.options, {})
        body = body.replace("<table>", '<div class="wide"><table>').replace("</table>", "</table></div>")
        self.write(path, title, body)

    def build_listing(self, path):
        names = sorted(os.listdir(f"{PROJECT}/{path}"))
        links = [self.link(f"{path}/", name) for name in names]
        rows = "".join(f'<li><a href="{link}">{name}</a></li>' for link, name in zip(links, names))
        self.write(path, path, f"<h1>{path}</h1><ul>{rows}</ul>")

    def build_all(self):
        for _, entries in CONTENTS:
            for path, _ in entries:
                if path.endswith(".md"):
                    self.add(path)
        while self.waiting:
            path = self.waiting.pop()
            if os.path.isdir(f"{PROJECT}/{path}"):
                self.build_listing(path)
            elif path.endswith(".md"):
                self.build_page(path)
            else:
                target = f"{self.output}/{path}"
                os.makedirs(os.path.dirname(target), exist_ok=True)
                shutil.copyfile(f"{PROJECT}/{path}", target)
        shutil.copyfile(f"{PROJECT}/docs/site/style.css", f"{self.output}/style.css")

    def build_manual(self, program):
        """The manual's pages, by mandoc."""
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([program, "--manual", folder], check=True)
            names = sorted(name[:-2] for name in os.listdir(folder))
            for name in names:
                page = subprocess.run(
                    ["mandoc", "-T", "html", "-O", "fragment", "-W", "warning", f"{folder}/{name}.1"],
                    check=True, capture_output=True, text=True).stdout
                page = re.sub(
                    r"<b>(aurient[a-z-]*)</b>(\s*\(1\))",
                    lambda match: f'<a href="{match[1]}.html"><b>{match[1]}</b></a>{match[2]}'
                    if match[1] in names else match[0], page)
                self.write("", name, f'<div class="manual">{page}</div>', place=f"manual/{name}.html")

    def build_reference(self, graphs):
        """The library's reference, by DocC: a warning is an error."""
        with open(f"{PROJECT}/Sources/Aurient/Exports.swift", encoding="utf-8") as file:
            exported = re.findall(r"^@_exported public import (\w+)", file.read(), re.MULTILINE)
        if {*exported, "Aurient"} != set(MODULES):
            sys.exit("build.py: MODULES is not what Sources/Aurient/Exports.swift exports")
        base = os.environ.get("DOCS_BASE", "").rstrip("/")
        with tempfile.TemporaryDirectory() as folder:
            archives = []
            for module in MODULES:
                os.mkdir(f"{folder}/{module}")
                for name in os.listdir(graphs):
                    if name == f"{module}.symbols.json" or name.startswith(f"{module}@"):
                        shutil.copy(f"{graphs}/{name}", f"{folder}/{module}")
                catalog = f"{PROJECT}/docs/site/{module}.docc"
                # Parameters are explained where their names and types don't.
                subprocess.run(
                    ["docc", "convert", *([catalog] if os.path.isdir(catalog) else []), "--additional-symbol-graph-dir", f"{folder}/{module}",
                     "--fallback-display-name", module, "--fallback-bundle-identifier", f"aurient.{module}",
                     "--enable-experimental-external-link-support", "--warnings-as-errors",
                     "--disable-parameters-and-returns-validation", "--transform-for-static-hosting",
                     "--hosting-base-path", f"{base}/api".lstrip("/"),
                     *[word for archive in archives for word in ("--dependency", archive)],
                     "--output-path", f"{folder}/{module}.doccarchive"],
                    check=True, stdout=subprocess.DEVNULL)
                archives.append(f"{folder}/{module}.doccarchive")
            subprocess.run(
                ["docc", "merge", *reversed(archives), "--synthesized-landing-page-name", "Aurient",
                 "--synthesized-landing-page-topics-style", "list", "--output-path", f"{self.output}/api"], check=True)

    def check(self):
        """Follows every link of every page to the site itself; how many there are."""
        anchors, links = {}, []
        for parent, _, names in os.walk(self.output):
            if parent.startswith(f"{self.output}/api"):
                continue
            for name in (name for name in names if name.endswith(".html")):
                place = os.path.relpath(f"{parent}/{name}", self.output)
                with open(f"{parent}/{name}", encoding="utf-8") as file:
                    text = file.read()
                anchors[place] = set(re.findall(r'\bid="([^"]+)"', text))
                links += [
                    (place, html.unescape(target))
                    for target in re.findall(r'\b(?:href|src)="([^"]+)"', text)]
        for place, target in links:
            if re.match(r"[a-z]+:", target):
                continue
            name, _, anchor = target.partition("#")
            found = os.path.normpath(os.path.join(os.path.dirname(place), name)) if name else place
            if not os.path.isfile(f"{self.output}/{found}"):
                self.faults.append(f"{place}: there is no {target}")
            elif anchor and urllib.parse.unquote(anchor) not in anchors.get(found, ()):
                self.faults.append(f"{place}: there is no place {target}")
        return len(links)


def main():
    program, graphs, output = sys.argv[1:]
    shutil.rmtree(output, ignore_errors=True)
    os.makedirs(output)
    site = Site(output)
    site.build_manual(program)
    site.build_reference(graphs)
    site.build_all()
    count = site.check()
    for fault in site.faults:
        print(fault, file=sys.stderr)
    if site.faults:
        sys.exit(1)
    print(f"{output}: {len(site.seen)} files, {count} links")


main()
