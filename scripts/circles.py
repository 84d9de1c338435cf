#!/usr/bin/env python3
"""Finds import circles between the modules of each crate of the workspace, prints them, and fails if there is one.

  scripts/circles.py [CRATE]...     only these packages; default: all packages of the workspace
  scripts/circles.py --inner ...    also the circles between the files of a folder, which do not fail
  scripts/circles.py --self-test    plants circles in a crate of its own, and fails if one is not found

A module is a file or a folder directly under the root of a program or library. A circle is a set of modules of which
each imports each other one, directly or through others. Tests inside the sources do not count. Inside a folder its
`mod.rs` does not count: it holds the folder's types, and the other files carry their methods.
"""
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
WORD = r"[A-Za-z_]\w*"
# Strings, characters and comments. None of them may hold a path.
NO_CODE = re.compile(
    r"""//[^\n]*|/\*.*?\*/|b?r(\#*)".*?"\1|b?"(?:\\.|[^"\\])*"|b?'(?:\\[^\n]+?|[^'\\\n])'""", re.S
)
TEST_ATTRIBUTE = re.compile(r"#\[cfg\((?:test|all\(test\b[^\]]*)\)\]|#\[test\]")
USE = re.compile(rf"(\bpub(?:\s*\([^)]*\))?\s+)?\buse\s+([^;]+);")
MODULE = re.compile(rf"(#\[path\s*=\s*\"([^\"]+)\"\]\s*)?(?:pub(?:\s*\([^)]*\))?\s+)?\bmod\s+({WORD})\s*;")
ITEM = re.compile(rf"\b(?:struct|enum|union|trait|type|fn|const|static|macro_rules!)\s+({WORD})")
PATH = re.compile(rf"(?<![\w:])(?:\$?crate|self|super)(?:\s*::\s*(?:r#)?{WORD})+|(?<![\w:.])({WORD})\s*::\s*{WORD}")


def without_tests(code):
    """The code without the items that only tests have."""
    while match := TEST_ATTRIBUTE.search(code):
        end, depth = match.end(), 0
        while end < len(code):
            mark = code[end]
            depth += (mark in "({[") - (mark in ")}]")
            end += 1
            if depth == 0 and mark in ";}":
                break
        code = code[: match.start()] + code[end:]
    return code


def split(text):
    """The parts of a list, at the commas that are in no braces."""
    parts, depth, start = [], 0, 0
    for at, mark in enumerate(text):
        depth += (mark == "{") - (mark == "}")
        if mark == "," and depth == 0:
            parts.append(text[start:at])
            start = at + 1
    return [part.strip() for part in [*parts, text[start:]] if part.strip()]


def imports(tree):
    """The paths of a `use`, each with the name that it gets."""
    tree = tree.strip()
    if (brace := tree.find("{")) >= 0:
        before = [word for word in re.split(r"\s*::\s*", tree[:brace].strip()) if word]
        for part in split(tree[brace + 1 : tree.rindex("}")]):
            for path, name in imports(part):
                path = before + ([] if path == ["self"] else path)
                yield path, path[-1] if name == "self" else name
        return
    path, _, name = tree.partition(" as ")
    path = [word.strip().removeprefix("r#") for word in path.split("::") if word.strip()]
    yield path, name.strip() or path[-1]


class Module:
    """A file of a crate: its modules, its imports, and the paths that it names."""

    def __init__(self, file, path):
        self.file, self.path, self.children = file, path, {}
        text = without_tests(NO_CODE.sub(lambda found: found[0] if is_path_attribute(found) else '""', file.read_text()))
        for _, place, name in MODULE.findall(text):
            self.children[name] = Module(self.place(place, name), (*path, name))
        self.items = set(ITEM.findall(text))
        found = [use for _, tree in USE.findall(text) for use in imports(tree)]
        self.names = {name: words for words, name in found if name not in ("*", "_")}
        self.globs = [words[:-1] for words, name in found if name == "*"]
        # What a public `use` in a root hands on is no import of the root.
        own = USE.sub(lambda use: "" if use[1] else use[0], text) if not path else text
        self.used = [words for _, tree in USE.findall(own) for words, _ in imports(tree)]
        for words in PATH.finditer(USE.sub("", own)):
            self.used.append([word.removeprefix("r#").strip("$ \n") for word in re.split(r"\s*::\s*", words[0])])

    def place(self, given, name):
        """The file of a module that this one declares."""
        if given:
            return self.file.parent / given
        holds_folder = self.file.name in ("mod.rs", "lib.rs", "main.rs") or not self.path
        folder = self.file.parent if holds_folder else self.file.with_suffix("")
        flat = folder / f"{name}.rs"
        return flat if flat.exists() else folder / name / "mod.rs"

    def all(self):
        yield self
        for child in self.children.values():
            yield from child.all()


def is_path_attribute(found):
    """Whether a string is the file of a module."""
    return found[0].startswith('"') and re.search(r"#\[path\s*=\s*$", found.string[max(0, found.start() - 20) : found.start()])


class Crate:
    """The modules of a program or library."""

    def __init__(self, root):
        self.root = Module(root, ())

    def at(self, path):
        module = self.root
        for word in path:
            module = module.children[word]
        return module

    def resolve(self, module, words, seen=()):
        """The module that holds what a path names, as seen from a module; None for other crates."""
        first = words[0]
        if first == "crate":
            return self.walk(self.root, words[1:], seen)
        if first == "self":
            return self.walk(module, words[1:], seen)
        if first == "super":
            return self.resolve(self.at(module.path[:-1]), ["self", *words[1:]], seen) if words[1:2] != ["super"] \
                else self.resolve(self.at(module.path[:-1]), words[1:], seen)
        if first in module.children or first in module.names and module.names[first] != words:
            return self.walk(module, words, seen)
        return None

    def walk(self, module, words, seen):
        """Follows a path from a module, through the imports of the modules on its way."""
        if not words:
            return module
        first, key = words[0], (module.path, words[0])
        if first in module.children:
            return self.walk(module.children[first], words[1:], seen)
        if first in module.names and key not in seen:
            target = self.resolve(module, module.names[first] + words[1:], (*seen, key))
            return target or module
        for glob in [] if first in module.items else module.globs:
            target = self.resolve(module, glob, (*seen, key)) if key not in seen else None
            if target and first in {*target.children, *target.names, *target.items} and target is not module:
                return self.walk(target, words, (*seen, key))
        return module

    def edges(self, depth):
        """Which module imports which other one, `depth` folders below the root, and an example of each import."""
        found = {}
        for module in self.root.all():
            for words in module.used:
                target = self.resolve(module, words)
                if target is None or module.path[:depth] != target.path[:depth]:
                    continue
                ends = [name(one, depth) for one in (module, target)]
                if ends[0] == ends[1] or depth and None in ends:
                    continue
                folder, example = module.path[:depth], f"{module.file.name}: {'::'.join(words)}"
                found.setdefault(folder, {}).setdefault(tuple(end or "the root" for end in ends), example)
        return found


def name(module, depth):
    return module.path[depth] if len(module.path) > depth else None


def circles(edges):
    """The sets of modules of which each reaches each other one."""
    after = {}
    for one, other in edges:
        after.setdefault(one, set()).add(other)

    def reached(start):
        seen, ahead = set(), [start]
        while ahead:
            for other in after.get(ahead.pop(), ()):
                if other not in seen:
                    seen.add(other)
                    ahead.append(other)
        return seen

    reach = {one: reached(one) for one in after}
    found = {frozenset(other for other in reach[one] if one in reach.get(other, ())) for one in reach}
    return sorted(sorted(circle) for circle in found if circle)


def report(title, edges):
    """Prints the circles among some imports; returns how many there are."""
    found = circles(edges)
    for circle in found:
        print(f"{title}: circle of {len(circle)}: {', '.join(circle)}")
        for (one, other), example in sorted(edges.items()):
            if one in circle and other in circle:
                print(f"    {one} -> {other}    ({example})")
    return len(found)


def check(package, root, inner):
    crate = Crate(root)
    count = sum(report(package, edges) for edges in crate.edges(0).values())
    below = 0
    for depth in range(1, max(len(module.path) for module in crate.root.all())) if inner else ():
        for folder, edges in sorted(crate.edges(depth).items()):
            below += report(f"{package}, inside {'/'.join(folder)}", edges)
    print(f"{package}: {count} circles between modules" + (f", {below} inside folders" if inner else ""))
    return count


def programs(packages):
    """The library and the programs of each package, by the file that each begins with."""
    asked = ["cargo", "metadata", "--no-deps", "--format-version", "1", "--offline"]
    metadata = json.loads(subprocess.run(asked, cwd=ROOT, stdout=subprocess.PIPE, check=True).stdout)
    known = {package["name"] for package in metadata["packages"]}
    if unknown := set(packages) - known:
        sys.exit(f"circles: no such package: {', '.join(sorted(unknown))}")
    for package in sorted(metadata["packages"], key=lambda package: package["name"]):
        if not packages or package["name"] in packages:
            for target in package["targets"]:
                if {"lib", "rlib", "cdylib", "bin"} & set(target["kind"]):
                    alone = target["name"] == package["name"] or "bin" not in target["kind"]
                    title = package["name"] if alone else f"{package['name']} {target['name']}"
                    yield title, Path(target["src_path"])


PLANTED = {
    "lib.rs": "pub mod a; mod b; mod c; mod d; mod e; pub mod f; pub use f::Shared; pub const ROOT: u8 = a::A;",
    "a.rs": "use crate::b; // use crate::f;\npub const A: u8 = b::B; const TEXT: &str = \"crate::d\"; const C: char = '\"';",
    "b/mod.rs": "mod one; mod two; pub(crate) use one::One as Two; pub const B: u8 = 0;",
    "b/one.rs": "use super::two; pub struct One(super::super::c::C);",
    "b/two.rs": "use super::Two;",
    "c.rs": "use {crate::{a::{self, A}}, std::fmt}; pub struct C;",
    "d.rs": "fn long() -> u8 { crate::e::E }\n#[cfg(test)] mod tests { use crate::a::A; }",
    "e.rs": "pub const E: u8 = 1; fn root() { crate::ROOT }\n#[cfg(test)]\nuse crate::d;",
    "f.rs": "pub struct Shared;\nuse std::crate_less::g;",
}


def self_test():
    with tempfile.TemporaryDirectory() as folder:
        for file, text in PLANTED.items():
            (Path(folder) / file).parent.mkdir(exist_ok=True)
            (Path(folder) / file).write_text(text)
        crate = Crate(Path(folder) / "lib.rs")
        edges = crate.edges(0)[()]
        wanted = {("a", "b"), ("b", "c"), ("c", "a"), ("d", "e"), ("e", "the root"), ("the root", "a")}
        assert set(edges) == wanted, sorted(edges)
        assert circles(edges) == [["a", "b", "c"]], circles(edges)
        (Path(folder) / "f.rs").write_text("pub struct Shared; use super::e::*;")
        (Path(folder) / "e.rs").write_text("use crate::Shared;")
        assert circles(Crate(Path(folder) / "lib.rs").edges(0)[()]) == [["a", "b", "c"], ["e", "f"]]
        assert circles(crate.edges(1)[("b",)]) == [["one", "two"]]


def main(words):
    if words == ["--self-test"]:
        return self_test()
    packages = [word for word in words if word != "--inner"]
    if sum(check(title, root, "--inner" in words) for title, root in programs(packages)):
        sys.exit(1)


main(sys.argv[1:])
