"""Reduce fonts with HarfBuzz to the parts that a file needs. The same letters give the same bytes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import uharfbuzz as harfbuzz

from grimalkin.printing.face.fonts import Font

_FLAGS = harfbuzz.SubsetFlags
ON_PAGES = (
    *("calt", "ccmp", "clig", "curs", "dist", "kern", "liga", "locl", "mark", "mkmk", "rclt", "rlig", "rvrn"),
    *("fin2", "fin3", "fina", "init", "isol", "med2", "medi", "mset", "rtla", "rtlm", "stch"),  # right-to-left scripts
    *("abvf", "abvm", "abvs", "akhn", "blwf", "blwm", "blws", "cfar", "cjct", "half", "haln", "nukt", "pref", "pres"),
    *("pstf", "psts", "rkrf", "rphf", "vatu", "ljmo", "tjmo", "vjmo"),  # with these the scripts of India, and Korean
)
"""Features that browsers apply by themselves."""
_RULES = ("GDEF", "GPOS", "GSUB")
_UNUSED = ("BASE", "DSIG", "FFTM", "gasp")
"""FFTM is a timestamp."""
_UNREAD = (*_UNUSED, *_RULES, "OS/2", "cmap", "name", "post")
"""Tables that no PDF reader needs in a font whose text is given as glyph numbers (ISO 32000-1, 9.9)."""
_OF_OTHERS = (
    "DSIG", "EBDT", "EBLC", "EBSC", "FFTM", "Feat", "Glat", "Gloc", "HVAR", "LTSH", "MVAR", "PCLT", "STAT", "Silf",
    "Sill", "VDMX", "VVAR", "ankr", "avar", "bsln", "cvar", "feat", "fvar", "gasp", "gvar", "hdmx", "just", "kerx",
    "lcar", "mort", "morx", "opbd", "prop", "trak", "vhea", "vmtx",
)  # fmt: skip
"""Tables for other programs or purposes; some of them make text look different from elsewhere."""


def program(font: Font, glyphs: Iterable[int]) -> bytes:
    """Return a font with only these glyphs, keeping their numbers, for a PDF: TrueType, or bare CFF."""
    order = harfbuzz.SubsetInput()
    order.glyph_set.update(glyphs)
    order.layout_feature_tag_set.clear()
    order.drop_table_tag_set.update(map(_tag, _UNREAD))
    order.flags = _FLAGS.RETAIN_GIDS | _FLAGS.NO_LAYOUT_CLOSURE | _FLAGS.NOTDEF_OUTLINE | _FLAGS.DOWNGRADE_CFF2
    order.flags |= _FLAGS.CFF_IDENTITY_CHARSET  # glyphs with their own CIDs get their positions instead
    face = _cut(font, order)
    return bytes(face.reference_table("CFF ").data if font.is_cff else face.blob.data)


def whole(face: harfbuzz.Face, at: Mapping[str, float]) -> bytes:
    """Return a font taken apart and rebuilt as a single font, at a position on its axes, with only what browsers use.

    Raise RuntimeError if it is damaged.
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
    """Return a font file with only these letters. `features` are the OpenType tags of the features to keep."""
    order = harfbuzz.SubsetInput()
    order.unicode_set.update(map(ord, letters))
    order.layout_feature_tag_set.clear()
    order.layout_feature_tag_set.update(map(_tag, features))
    order.name_id_set.clear()
    order.drop_table_tag_set.update(map(_tag, _UNUSED if order.layout_feature_tag_set else _UNUSED + _RULES))
    order.flags = _FLAGS.NOTDEF_OUTLINE
    old = "kern" in font.face.table_tags  # a table that refers to glyph numbers
    if old and not all(map(font.kerns_by_rules, _scripts(letters))):
        order.drop_table_tag_set.discard(_tag("kern"))
        order.no_subset_table_tag_set.add(_tag("kern"))
        order.flags |= _FLAGS.RETAIN_GIDS
    return bytes(_cut(font, order).blob.data)


def _scripts(letters: str) -> set[str]:
    """Return the scripts of letters, as HarfBuzz recognises them in a text."""
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
    """Return the name of a table or feature as HarfBuzz encodes it."""
    return int.from_bytes(name.ljust(4).encode(), "big")
