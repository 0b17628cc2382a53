"""Find face templates by name, and suggest another if there is none of that name."""

from __future__ import annotations

from pathlib import Path, PurePath

from grimalkin.problems import did_you_mean
from grimalkin.source import data_folder, files_below, name_of
from grimalkin.source.files import ART_FILES

TEMPLATE = ".svg.j2"
"""The file extension of face templates; game.yaml leaves it out."""

SHARED = ("base", "layouts", "extras")
"""Folders of templates that belong to no game."""


def face_folders(folder: Path, kin: str = "") -> list[Path]:
    """Return the folders searched for a game's face templates, in order. `kin` is the game whose faces it uses."""
    shared = data_folder("templates") / "faces"
    return [folder / "faces", shared / (kin or name_of(folder)), shared]


def template_hint(folder: Path, name: str, ending: str = "", kin: str = "") -> str:
    """Suggest a template for an unknown name. `ending` is the extension that all the names omit."""
    own, of_kin, shared = face_folders(folder, kin)
    places = ((own, own, folder), (of_kin, of_kin, shared), *((shared, shared / name, shared) for name in SHARED))
    known = {
        path.relative_to(root).as_posix().removesuffix(ending)
        for root, place, inside in places
        for path in files_below(place, inside)
        if path.name.endswith(TEMPLATE)
    }
    name = name.removesuffix(ending)
    if PurePath(name).suffix.lower() in ART_FILES:
        return (
            f'write a template that draws the picture: <image href="art/{PurePath(name).name}" x="-3" y="-3" '
            'width="69"/>'
        )
    elsewhere = sorted(one for one in known if PurePath(one).name == PurePath(name).name)
    if elsewhere:
        return f'did you mean "{elsewhere[0]}"?'
    others = sorted(path.parent.name for path in shared.glob(f"*/{name}{TEMPLATE}") if path.parent.name not in SHARED)
    if others and not kin:
        return (
            f"if this game is a copy of {others[0]}, write `engine: {others[0]}` or `faces: {others[0]}` in its "
            "game.yaml"
        )
    return did_you_mean(name, known, "templates are in the folder faces")
