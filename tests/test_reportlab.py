"""What we take from reportlab's inside: it is there, and one module alone knows of it."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
import reportlab
from reportlab import rl_config
from reportlab.pdfbase import pdfdoc

from grimalkin.printing.draw import canvas as inside
from grimalkin.printing.draw.pdf import new_canvas

PACKAGE = Path(inside.__file__).parents[2]
HOME = Path(inside.__file__)
HELD_IN = {"document": "PDFDocument", "info": "PDFInfo", "made": "PDFResourceDictionary", "pdfdoc": "pdfdoc"}
"""What the names in that module hold."""


def attributes(path: Path) -> Iterator[ast.Attribute]:
    """Every attribute that a module names."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Attribute):
            yield node


def owners() -> dict[str, Any]:
    """What has the names, as it is after a page with a text, a form and a bookmark."""
    canvas = new_canvas((100, 100))
    canvas.describe("Cat", "Owl", "A cat.")
    canvas.setFont("SourceSansPro", 8)
    canvas.drawString(1, 1, "Cat")
    document = canvas.document
    for one in (document.Catalog, document.info):
        document.Reference(one)
    return {
        "rl_config": rl_config,
        "Canvas": canvas,
        "PDFDocument": document,
        "PDFCatalog": document.Catalog,
        "PDFInfo": document.info,
        "PDFOutlines": document.Outlines,
        "PDFPages": document.Pages,
        "PDFResourceDictionary": pdfdoc.PDFResourceDictionary(),
        "pdfdoc": pdfdoc,
    }


def gone(found: Mapping[str, Any]) -> list[str]:
    """The names that are not there, and where they are used."""
    lines: dict[str, list[int]] = {}
    for node in attributes(HOME):
        lines.setdefault(node.attr, []).append(node.lineno)
    return [
        f"reportlab {reportlab.Version} has no {owner}.{name}: see draw/{HOME.name}, "
        f"line {', '.join(map(str, sorted(set(lines.get(name, [])))))}"
        for owner, names in inside.INNER_NAMES.items()
        for name in names
        if not hasattr(found[owner], name) and name not in getattr(found[owner], "__NoDefault__", ())
    ]


def test_reportlab_has_every_name_of_its_inside_that_we_use() -> None:
    """A name that a new version lacks is told with the lines that need it."""
    assert [] == gone(owners())


def test_a_name_that_is_gone_is_told_with_the_lines_that_need_it() -> None:
    """As when the next version has no `_formsinuse`."""

    class Changed:
        def __init__(self, canvas: Any) -> None:
            self.canvas = canvas

        def __getattr__(self, name: str) -> Any:
            if name == "_formsinuse":
                raise AttributeError(name)
            return getattr(self.canvas, name)

    found = owners()
    (told,) = gone({**found, "Canvas": Changed(found["Canvas"])})

    assert re.fullmatch(r"reportlab [\d.]+ has no Canvas\._formsinuse: see draw/canvas\.py, line \d+(, \d+)+", told)


def test_the_list_of_inner_names_is_whole() -> None:
    """What the module names with an underscore, or asks of a document, is in the list; and all in it is used."""
    known = {name for names in inside.INNER_NAMES.values() for name in names}
    used = set()
    for node in attributes(HOME):
        used.add(node.attr)
        held = node.value.id if isinstance(node.value, ast.Name) else getattr(node.value, "attr", "")
        if held in HELD_IN:
            assert node.attr in {*inside.INNER_NAMES[HELD_IN[held]], "invariant"}, ast.unparse(node)
        if node.attr.startswith("_") and not node.attr.startswith("__"):
            assert node.attr in known, ast.unparse(node)
    strings = {node.value for node in ast.walk(ast.parse(HOME.read_text())) if isinstance(node, ast.Constant)}
    functions = {node.name for node in ast.walk(ast.parse(HOME.read_text())) if isinstance(node, ast.FunctionDef)}

    assert set() == {name for name in known if name not in used | functions and name not in strings}


@pytest.mark.slow("reads the whole package")
def test_no_other_module_reaches_into_reportlab() -> None:
    """None names what only its inside has; that none imports it is held with the homes of all libraries."""
    inner = {name for owner in ("Canvas", "PDFDocument") for name in inside.INNER_NAMES[owner]}
    inner -= {"info", "Reference"}  # common words
    others = (path for path in sorted(PACKAGE.rglob("*.py")) if path != HOME)
    found = [(path.name, node) for path in others for node in attributes(path) if node.attr in inner]

    assert [] == [f"{name}:{node.lineno}: {ast.unparse(node)}" for name, node in found]


def test_the_project_takes_the_versions_that_were_tried() -> None:
    """From the oldest that was tried to the last of the newest's kind; an installed one is among them."""
    oldest, newest = ([int(part) for part in version.split(".")] for version in inside.TRIED)
    project = tomllib.loads((PACKAGE.parents[1] / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    (taken,) = (one for one in project["dependencies"] if one.startswith("reportlab"))

    assert f"reportlab>={oldest[0]}.{oldest[1]},<{newest[0] + 1}" == taken
    assert oldest <= [int(part) for part in reportlab.Version.split(".")] < [newest[0] + 1]
