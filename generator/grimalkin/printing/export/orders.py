"""Make what a shop asks for: pictures or PDFs of every lot, under its names, and an order that says what they are."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from grimalkin.content import Game
from grimalkin.content.shops import Files, Shop
from grimalkin.printing.draw.condition import STANDARDS, Profile
from grimalkin.printing.draw.raster import pixels
from grimalkin.printing.export.designs import MOST_PIXELS, Design, Done, Wanted, check_sizes, one_back, pictures
from grimalkin.printing.export.lots import ANY_SHOP, LeftOut, Lot, piece_of
from grimalkin.printing.export.printshop import (
    ON_SCREENS,
    Inking,
    about_colours,
    folding,
    lot_files,
    pages_of,
    readme,
    table_of,
)
from grimalkin.printing.face import Face
from grimalkin.problems import Problems
from grimalkin.problems.plain import folded, how_many, listed

_FIELD = re.compile(r"\{([a-z]+)\}")
MOST_PAGES = 20_000
"""The most pages in one PDF: with more, viewers give up."""
ORDERS = {
    "front-back": "fronts and backs in turn",
    "back-front": "each back before its front",
    "fronts-then-back": "all fronts, then the back that they share; if backs differ, they are a file of their own",
    "apart": "fronts and backs in two files",
}
"""The orders of pages, in words."""


@dataclass(frozen=True, slots=True)
class Order:
    """An order at a shop: its lots, and how their files are made."""

    game: Game
    shop: Shop
    lots: Sequence[Lot]
    left_out: Sequence[LeftOut] = ()
    files: Files = "pdf"
    apart: bool = False
    """Whether fronts and backs are two files, if the shop leaves that open."""
    bleed: bool = True
    inking: Inking = ON_SCREENS

    @property
    def faces(self) -> int:
        """Return the number of faces to draw."""
        return sum(len(design.faces) for lot in self.lots for design in lot.designs)

    def name(self, pattern: str, lot: Lot, **more: object) -> str:
        """Return the name of a file, without its extension."""
        stock = lot.designs[0].stock
        size = lot.trim(stock)
        known = {
            "game": self.game.name,
            "deck": lot.name,
            "product": lot.product.id if lot.product else stock.name,
            "size": f"{size.width:g}x{size.height:g}",
            **more,
        }
        return _FIELD.sub(lambda found: str(known[found[1]]), pattern)


def check_files(order: Order, problems: Problems) -> None:
    """Add a problem for files that the shop would not take, or nobody could make.

    These are PDFs with too many pages, pictures with too many pixels, and two files with one name.
    """
    shop, taken = order.shop, dict[str, str]()
    for lot in order.lots:
        place = order.game.place(lot.designs[0].row.id)
        if order.files == "pdf":
            names = [_pdf(order, lot)]
            most = min(shop.most_pages or MOST_PAGES, MOST_PAGES)
            pages = max(len(pages) for _, pages in pages_of(lot, order.apart))
            if pages > most:
                who = shop.name if most == shop.most_pages else "Grimalkin"
                message = f"{who} takes {how_many(most, 'page')} in a PDF; that of {lot.name} has {pages}"
                problems.add(place, message, "export it in parts with --only")
        else:
            wanted = list(_wanted(order, lot))
            names = [one.name for one in wanted]
            check_sizes(lot.designs, shop.dpi, True, place, problems)
            for wide, high in {one.canvas for one in wanted if one.canvas}:
                if wide * high > MOST_PIXELS:
                    message = f"{shop.name} asks for a picture of {wide} × {high} pixels"
                    problems.add(place, message, f"at most {MOST_PIXELS // 1_000_000} million pixels can be drawn")
        for name in names:
            if taken.setdefault(folded(name), name) is not name:
                problems.add(place, f'two files for {shop.name} would be called "{name}"', "change its `names`")


def order_files(order: Order, jobs: int, done: Done) -> Iterator[tuple[str, bytes]]:
    """Yield the names and contents of all files of an order: first what it says about them, if they are pictures."""
    if order.files == "pdf":
        files: dict[str, bytes] = {}
        rows: list[Mapping[str, object]] = []
        for lot in order.lots:
            made, listing = lot_files(order.game, lot, _pdf(order, lot), order.apart, order.bleed, order.inking)
            files |= made
            rows += listing
            done(sum(len(design.faces) for design in lot.designs))
        files["order.csv"] = table_of(rows)
        files |= _said(order)
        yield from sorted(files.items())
        return
    yield from _said(order).items()
    for lot in order.lots:
        if lot.product and lot.product.autofill:
            xml = _order_xml(order, lot)
            if xml:
                yield f"{lot.name}/order.xml", xml
    wanted = [one for lot in order.lots for one in _wanted(order, lot)]
    yield from pictures(wanted, order.shop.dpi, True, True, jobs, done)


def _pdf(order: Order, lot: Lot) -> str:
    return order.name(order.shop.names.pages, lot)


def _slots(order: Order, lot: Lot) -> Iterator[tuple[int, Design, str, str]]:
    """Yield each design with its first slot, counted from 0, and the names of its pictures without an extension."""
    slot = 0
    for design in lot.designs:
        of_card = {"id": design.row.id, "slot": f"{slot + 1:03}", "count": design.row.count}
        front, back = (order.name(one, lot, **of_card) for one in (order.shop.names.front, order.shop.names.back))
        yield slot, design, front, back
        slot += design.row.count


def _wanted(order: Order, lot: Lot) -> Iterator[Wanted]:
    def picture(name: str, face: Face) -> Wanted:
        trim = lot.trim(face.stock, order.bleed)
        size = lot.product.pixels if lot.product and lot.product.pixels else None
        canvas = size or (pixels(trim.page[0], order.shop.dpi), pixels(trim.page[1], order.shop.dpi))
        left, top, right, bottom = trim.bleed
        shift = (round((left - right) / 2 / 25.4 * order.shop.dpi), round((top - bottom) / 2 / 25.4 * order.shop.dpi))
        return Wanted(f"{name}.{order.files}", face, canvas, lot.turned, shift)

    shared = lot.shared
    if shared:
        yield picture(order.name(order.shop.names.shared, lot), shared)
    for _, design, front, back in _slots(order, lot):
        yield picture(front, design.front)
        if design.back and not shared:
            yield picture(back, design.back)


# The order in words


def _said(order: Order) -> dict[str, bytes]:
    """Return the file that says what to print."""
    if order.shop is ANY_SHOP:
        return {
            "README.txt": readme(order.game, order.lots, order.files, order.apart, order.bleed, order.inking).encode()
        }
    return {"order.txt": order_text(order).encode()}


def order_text(order: Order) -> str:
    """Return what to order, what was left out, and where the facts about the shop come from."""
    shop = order.shop
    lines = []
    for lot in order.lots:
        lines.append(f"{lot.name}: {lot.what}, {_contents(lot)}")
        if lot.product and shop.product_page:
            lines.append(f"    {shop.product_page.replace('{id}', lot.product.id)}")
        if order.files == "pdf" or "{slot}" not in shop.names.front:
            lines += [f"    {design.row.count} × {design.row.name}" for design in lot.designs]
        if order.files == "pdf":
            lines += [f"    {line}" for line in folding(lot.designs[0].stock)]
    web = f" ({shop.web})" if shop.web else ""
    parts = [f"{order.game.marked_title} at {shop.name}{web}", "\n".join(lines)]
    if shop.advice:
        parts.append(shop.advice)
    parts += ["\n".join(_about_pdfs(order))] if order.files == "pdf" else []
    parts += [f"Not done: {shop.name} asks for {asked}." for asked in [unmet(order)] if asked]
    if order.left_out:
        parts.append("\n".join(["Left out:", *(f"    {one.what}" for one in order.left_out)]))
    about = []
    if shop.source:
        about.append(f"What {shop.name} asks for was checked on {shop.checked}; compare it with the shop's own pages.")
        about.append(f"Sources: {', '.join(shop.source)}.")
    if shop.second_hand:
        about.append(f"Second hand: {'; '.join(shop.second_hand)}.")
    if about:
        parts.append("\n".join(about))
    return "\n\n".join(parts) + "\n"


def _about_pdfs(order: Order) -> Iterator[str]:
    """Yield what a shop should know about its PDFs, in sentences."""
    shop = order.shop
    pages = ORDERS[shop.order or ("apart" if order.apart else "front-back")]
    yield f"A page is one face: {pages}. TrimBox is the cut, BleedBox the edge of the bleed."
    if shop.copies == "pages":
        yield "Each copy of a card has its own pages; order.csv says which page is what."
    else:
        yield "order.csv says how many copies of each page to print."
    if shop.outlines:
        yield "Text is drawn as outlines, so there are no fonts."
    yield from about_colours(order.inking)


def unmet(order: Order) -> str:
    """Return what a shop asks for and its files do not give; "" if they give everything."""
    shop, given = order.shop, order.inking.condition
    space = given.space if given else "rgb"
    asked = [{"rgb": "RGB", "cmyk": "CMYK", "gray": "grey"}[shop.colour] + " colours"] if shop.colour != space else []
    if shop.ink_limit and (given is None or given.limit > shop.ink_limit):
        asked.append(f"at most {shop.ink_limit} % of ink")
    if shop.pdfx and order.files == "pdf" and (given is None or given.standard != shop.pdfx):
        asked.append(STANDARDS[shop.pdfx])
    if shop.profile and given and not is_profile_of(shop.profile, given.profile):
        asked.append(f"the profile {shop.profile}")
    return listed(asked)


def is_profile_of(name: str, profile: Profile) -> bool:
    """Return whether a profile may be the one that a shop calls by a name: our own only if it says FOGRA39."""
    return not profile.condition or profile.condition in name.upper()


def _contents(lot: Lot) -> str:
    """Describe the contents of a lot."""
    shared = one_back(lot.designs)
    backs = "a back for each" if not shared else "one back" if lot.designs[0].back else "no backs"
    return f"{how_many(lot.pieces, piece_of(lot.shop))}, {how_many(len(lot.designs), 'front')}, {backs}"


# MPC Autofill


def _order_xml(order: Order, lot: Lot) -> bytes | None:
    """Return an order for MPC Autofill, with paths from the folder of the lot; None for cards without backs."""

    def inside(name: str) -> str:
        return f"{name}.{order.files}".removeprefix(f"{lot.name}/")

    shared = lot.shared
    slots = list(_slots(order, lot))
    fronts = [(inside(front), slot, design.row.count) for slot, design, front, _ in slots]
    backs = [(inside(back), slot, design.row.count) for slot, design, _, back in slots if design.back and not shared]
    if not shared and not backs:
        return None
    return order_xml(fronts, backs, inside(order.name(order.shop.names.shared, lot)) if shared else "")


def order_xml(fronts: Sequence[tuple[str, int, int]], backs: Sequence[tuple[str, int, int]], shared: str) -> bytes:
    """Return an order for MPC Autofill. Pictures are given as path, first slot (from 0) and number of slots."""
    order = ET.Element("order")
    details = ET.SubElement(order, "details")
    ET.SubElement(details, "quantity").text = str(sum(count for _, _, count in fronts))
    ET.SubElement(details, "stock").text = "(S30) Standard Smooth"
    ET.SubElement(details, "foil").text = "false"
    for side, cards in (("fronts", fronts), ("backs", backs)):
        if cards:
            parent = ET.SubElement(order, side)
            for path, first, count in cards:
                card = ET.SubElement(parent, "card")
                ET.SubElement(card, "id").text = path
                ET.SubElement(card, "sourceType").text = "Local File"
                ET.SubElement(card, "slots").text = ",".join(str(first + index) for index in range(count))
                ET.SubElement(card, "name").text = path.rpartition("/")[2]
    ET.SubElement(order, "cardback").text = shared
    ET.indent(order)
    return f'<?xml version="1.0" encoding="utf-8"?>\n{ET.tostring(order, encoding="unicode")}\n'.encode()
