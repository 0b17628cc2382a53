"""Make folders for print services from designs: pictures in the required sizes, and an order."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from grimalkin.content import Game
from grimalkin.output.disk import write_new
from grimalkin.printing.export.designs import Design, Done, how_many, one_back
from grimalkin.printing.export.pictures import Wanted, pictures
from grimalkin.printing.export.products import DPI, MPC, MPC_MOST, TGC, Product, find_product, no_product
from grimalkin.printing.face import Face
from grimalkin.problems import Problems

TGC_KIND = {"coin": "tile", "card": "card", "mat": "mat"}
"""Kinds of decks at The Game Crafter, where every other kind is a tile."""


@dataclass(frozen=True, slots=True)
class Lot:
    """Designs of one deck, to be ordered as one product."""

    name: str
    """The name of the lot's folder."""
    product: Product
    turned: bool
    designs: tuple[Design, ...]

    @property
    def pieces(self) -> int:
        return sum(design.row.count for design in self.designs)

    @property
    def shared(self) -> Face | None:
        """The back that all its designs share; None if there is none."""
        return self.designs[0].back if one_back(self.designs) else None

    def picture(self, name: str, face: Face) -> Wanted:
        return Wanted(f"{self.name}/{name}", face, self.product.pixels, self.turned)


def mpc_lots(game: Game, designs: Sequence[Design], problems: Problems) -> list[Lot]:
    """Return the lots to order from MakePlayingCards; add a problem for every stock that it does not make."""
    lots = _lots("MakePlayingCards", game, designs, MPC, problems)
    for lot in lots:
        if lot.pieces > MPC_MOST:
            message = f"MakePlayingCards takes {MPC_MOST} cards per order; {lot.name} has {lot.pieces}"
            problems.add(game.place(lot.designs[0].row.id), message, "export it in parts with --only")
    return lots


def tgc_lots(game: Game, designs: Sequence[Design], problems: Problems) -> list[Lot]:
    """Return the lots to order from The Game Crafter; add a problem for every stock that it does not make."""
    return _lots("The Game Crafter", game, designs, TGC, problems)


def export_mpc(game: Game, lots: Sequence[Lot], folder: Path, jobs: int, done: Done) -> int:
    """Write a folder for each lot, with `fronts` and `backs` in the order of slots. Return the number of pictures."""
    wanted: list[Wanted] = []
    lines = []
    for lot in lots:
        slot = 1
        fronts: list[tuple[str, int, int]] = []
        backs: list[tuple[str, int, int]] = []
        shared = lot.shared
        if shared:
            wanted.append(lot.picture("backs/all.png", shared))
        for design in lot.designs:
            name = f"{slot:03}-{design.row.id}-x{design.row.count}.png"
            wanted.append(lot.picture(f"fronts/{name}", design.front))
            fronts.append((f"fronts/{name}", slot - 1, design.row.count))
            if design.back and not shared:
                wanted.append(lot.picture(f"backs/{name}", design.back))
                backs.append((f"backs/{name}", slot - 1, design.row.count))
            slot += design.row.count
        if lot.product.robot and (shared or backs):
            write_new(folder / f"{lot.name}/order.xml", order_xml(fronts, backs, "backs/all.png" if shared else ""))
        lines.append(f"{lot.name}: {lot.product.name}, {_contents(lot, 'card')}")
    order = [f"{game.marked_title} at MakePlayingCards (makeplayingcards.com)", "\n".join(lines), MPC_HELP]
    return _write(order, wanted, folder, jobs, done)


def export_tgc(game: Game, lots: Sequence[Lot], folder: Path, jobs: int, done: Done) -> int:
    """Write a folder for each lot, with `front` and `back`, and an order. Return the number of pictures."""
    wanted: list[Wanted] = []
    lines = []
    for lot in lots:
        shared = lot.shared
        if shared:
            wanted.append(lot.picture("back/all[back].png", shared))
        for design in lot.designs:
            wanted.append(lot.picture(f"front/{design.row.id}[face,{design.row.count}].png", design.front))
            if design.back and not shared:
                wanted.append(lot.picture(f"back/{design.row.id}[back].png", design.back))
        lines.append(
            f"{lot.name}: {lot.product.name}, {_contents(lot, 'piece')}\n"
            f"    https://www.thegamecrafter.com/make/products/{lot.product.id}"
        )
        lines += [f"    {design.row.count} × {design.row.name}" for design in lot.designs]
    order = [f"{game.marked_title} at The Game Crafter (thegamecrafter.com)", "\n".join(lines), TGC_HELP]
    return _write(order, wanted, folder, jobs, done)


MPC_HELP = """\
Pictures are 300 dpi, with 36 pixels of bleed on each side. The number before a name is the first slot of that card; the
number after "x" is the number of slots it takes. If backs differ, each has the name of its front.
If a folder has an order.xml, MPC Autofill (github.com/chilli-axe/mpc-autofill) can fill in the slots for you: put the
program into that folder and run it there.
"""
TGC_HELP = """\
Pictures are 300 dpi and include the bleed. The number in a name, as in mouse[face,2].png, is the number of copies of
that piece in the box.
"""


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


def _lots(
    service: str, game: Game, designs: Sequence[Design], products: Sequence[Product], problems: Problems
) -> list[Lot]:
    groups: dict[tuple[str, Product, bool], list[Design]] = {}
    told = set()
    for design in designs:
        found = find_product(design.stock, TGC_KIND.get(design.deck.kind, "tile"), products)
        if found:
            groups.setdefault((design.deck.id, *found), []).append(design)
        elif design.stock not in told:
            told.add(design.stock)
            no_product(service, design.stock, game.place(design.row.id), products, problems)
    decks = [deck for deck, _, _ in groups]
    lots = []
    for (deck, product, turned), members in groups.items():
        # No id has an underscore, so a lot's name is never that of another deck.
        name = deck if decks.count(deck) == 1 else f"{deck}_{product.id}" + ("_turned" if turned else "")
        lots.append(Lot(name, product, turned, tuple(members)))
    return lots


def _contents(lot: Lot, piece: str) -> str:
    """Describe the contents of a lot."""
    shared = one_back(lot.designs)
    backs = "a back for each" if not shared else "one back" if lot.designs[0].back else "no backs"
    return f"{how_many(lot.pieces, piece)}, {how_many(len(lot.designs), 'front')}, {backs}"


def _write(order: Sequence[str], wanted: Sequence[Wanted], folder: Path, jobs: int, done: Done) -> int:
    write_new(folder / "order.txt", "\n\n".join(order))
    for name, data in pictures(wanted, DPI, True, True, jobs, done):
        write_new(folder / name, data)
    return len(wanted)
