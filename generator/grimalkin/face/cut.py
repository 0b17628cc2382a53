"""A font cut down to what a file needs of it, by HarfBuzz. The same letters give the same bytes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import uharfbuzz as harfbuzz

from grimalkin.face.fonts import Font

_FLAGS = harfbuzz.SubsetFlags
ON_PAGES = (
    *("calt", "ccmp", "clig", "curs", "dist", "kern", "liga", "locl", "mark", "mkmk", "rclt", "rlig", "rvrn"),
    *("fin2", "fin3", "fina", "init", "isol", "med2", "medi", "mset", "rtla", "rtlm", "stch"),  # from right to left
    *("abvf", "abvm", "abvs", "akhn", "blwf", "blwm", "blws", "cfar", "cjct", "half", "haln", "nukt", "pref", "pres"),
    *("pstf", "psts", "rkrf", "rphf", "vatu", "ljmo", "tjmo", "vjmo"),  # with these the scripts of India, and Korean
)
"""What browsers do to text by themselves."""
_RULES = ("GDEF", "GPOS", "GSUB")
_UNUSED = ("BASE", "DSIG", "FFTM", "gasp")
"""FFTM is a time stamp."""
_UNREAD = (*_UNUSED, *_RULES, "OS/2", "cmap", "name", "post")
"""Tables that no reader of a PDF looks at in a font whose text is glyphs by their numbers (ISO 32000-1, 9.9)."""
_OF_OTHERS = (
    "DSIG", "EBDT", "EBLC", "EBSC", "FFTM", "Feat", "Glat", "Gloc", "HVAR", "LTSH", "MVAR", "PCLT", "STAT", "Silf",
    "Sill", "VDMX", "VVAR", "ankr", "avar", "bsln", "cvar", "feat", "fvar", "gasp", "gvar", "hdmx", "just", "kerx",
    "lcar", "mort", "morx", "opbd", "prop", "trak", "vhea", "vmtx",
)  # fmt: skip
"""Tables for other programs or other purposes, of which some set text in another way than the rest."""


def program(font: Font, glyphs: Iterable[int]) -> bytes:
    """A font with these glyphs only, each under its number as before, for a PDF: TrueType, or bare CFF."""
    order = harfbuzz.SubsetInput()
    order.glyph_set.update(glyphs)
    order.layout_feature_tag_set.clear()
    order.drop_table_tag_set.update(map(_tag, _UNREAD))
    order.flags = _FLAGS.RETAIN_GIDS | _FLAGS.NO_LAYOUT_CLOSURE | _FLAGS.NOTDEF_OUTLINE | _FLAGS.DOWNGRADE_CFF2
    order.flags |= _FLAGS.CFF_IDENTITY_CHARSET  # letters with numbers of their own get those of their places
    face = _cut(font, order)
    return bytes(face.reference_table("CFF ").data if font.is_cff else face.blob.data)


def whole(face: harfbuzz.Face, at: Mapping[str, float]) -> bytes:
    """A font taken apart and put together again: alone, at a place on its axes, with what browsers look at alone.

    Raises RuntimeError when it is damaged.
    """
    order = harfbuzz.SubsetInput()
    order.keep_everything()
    order.drop_table_tag_set.update(map(_tag, _OF_OTHERS))
    order.flags |= _FLAGS.NO_HINTING | _FLAGS.DOWNGRADE_CFF2
    if face.has_var_data:
        order.pin_all_axes_to_default(face)
        for axis, value in at.items():
            order.pin_axis_location(face, axis, value)
    return bytes(order.subset(face).blob.data)


def lettered(font: Font, letters: str, features: Iterable[str]) -> bytes:
    """A font file with these letters only. `features` are OpenType's tags of what it can still do with them."""
    order = harfbuzz.SubsetInput()
    order.unicode_set.update(map(ord, letters))
    order.layout_feature_tag_set.clear()
    order.layout_feature_tag_set.update(map(_tag, features))
    order.name_id_set.clear()
    order.drop_table_tag_set.update(map(_tag, _UNUSED if order.layout_feature_tag_set else _UNUSED + _RULES))
    order.flags = _FLAGS.NOTDEF_OUTLINE
    old = "kern" in font.face.table_tags  # a table that goes by numbers of glyphs
    if old and not all(map(font.kerns_by_rules, _scripts(letters))):
        order.drop_table_tag_set.discard(_tag("kern"))
        order.no_subset_table_tag_set.add(_tag("kern"))
        order.flags |= _FLAGS.RETAIN_GIDS
    return bytes(_cut(font, order).blob.data)


def _scripts(letters: str) -> set[str]:
    """The scripts of letters, as HarfBuzz finds them in a text."""
    found: set[str] = set()
    buffer = harfbuzz.Buffer()
    for letter in letters:
        buffer.clear_contents()
        buffer.add_str(letter)
        buffer.guess_segment_properties()
        found.add(buffer.script or "Zyyy")
    return found


def _cut(font: Font, order: harfbuzz.SubsetInput) -> harfbuzz.Face:
    order.flags |= _FLAGS.NO_HINTING | _FLAGS.DESUBROUTINIZE
    return order.subset(font.face)


def _tag(name: str) -> int:
    """A table's or a feature's name as HarfBuzz numbers it."""
    return int.from_bytes(name.ljust(4).encode(), "big")
