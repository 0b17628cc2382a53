"""Every small move of the game, in a fixed order, and how it is written; the names of vermin; tasks and questions.

A move is a readable tuple of words: the action, and what it names. Vermin are named and sorted by marker, then by
number; face-down ones are last.

Pending tasks and questions are a stack with the next one on top. A task is a word with plain values, so a table can be
copied and compared in the middle of anything. A question is a task too: it waits on top until it is answered.

`Patch: stride b4 b5 c5; pepperbox at pistoleer-2, draws 5H 9C, keep` is an activation of Patch. A line may contain
results of chance, for records of a game: `drawn` takes them out. Moves are separated by semicolons or commas. Capitals
do not matter, and spaces may replace hyphens.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final, TypeVar

from grimalkin.engine.contract import Facts
from grimalkin.engine.law import law
from grimalkin.engine.words import Ambiguous, Unreadable, find_typed, listed, typed
from grimalkin.games.cats_of_new_orleans.box import UNARMED, Box, box_of
from grimalkin.games.cats_of_new_orleans.maps import NUMBERS, SQUARES
from grimalkin.games.cats_of_new_orleans.numbers import ENDED, REACTIONS
from grimalkin.games.cats_of_new_orleans.table import UNKNOWN, Table, Vermin
from grimalkin.games.cats_of_new_orleans.table import spoken as spoken
from grimalkin.problems import did_you_mean

Move = tuple[str, ...]

BEFORE: Final = ("heroes-first", "vermin-first")
BARE: Final = ("prowl", "stride", "pounce")
AFTER: Final = ("end", "keep", "do", "pass", "first", "second", "back", "under", "done", "agree", "decline")
HANDFULS: Final = ("1", "5", "20")
"""The numbers of bucks that can be handed over at a time; all of them is also possible."""
GO = tuple(("go", name) for name in SQUARES)
TO = tuple(("to", name) for name in SQUARES)
OF_LOOT: Final = ("equip", "stow", "take", "put", "give", "get")


def every(box: Box) -> Iterator[Move]:
    """Yield every move, in the order in which `legal` lists them."""
    ids, heroes, squares, names = box.ids, [box.ids[hero] for hero in box.hero_numbers], _squares(box), every_name(box)
    weapons = [ids[card] for card in box.loot if card in box.weapons]
    yield from _bare(BEFORE)
    yield from _each("act", heroes)
    yield from _bare(BARE)
    yield from _each("go", squares)
    yield ("land",)
    known = names[: len(names) - len(every_unknown(box))]
    corners = {name for map_id in box.facts["maps"] for name in box.board(map_id).big_names}
    for attack in (UNARMED, *weapons):
        areas = attack != UNARMED and box.kit((box.numbers[attack],)).says("area")
        for name in (*known, *(corner for corner in squares if areas and corner in corners)):
            yield ("attack", attack, name)
    yield from _each("reload", weapons)
    marked = {name for drawn in box.facts["maps"].values() for name, mark in drawn["marks"].items() if mark in "HL"}
    yield from _each("investigate", [square for square in squares if square in marked])
    yield from _bare(("pick-up", "drop"))
    yield from _each("transfer", heroes)
    yield from _bare(("unstun", "leave"))
    for card in (*box.hero_numbers, *box.skills, *box.loot):
        if any(not ability.on or ability.optional for ability in box.abilities(card)):
            yield ("use", ids[card])
    doors = {door.name for map_id in box.facts["maps"] for door in box.board(map_id).doors}
    yield from _each("door", [f"{square}{side}" for square in squares for side in "es" if f"{square}{side}" in doors])
    yield from _bare(AFTER)
    poker = [ids[card] for card in box.poker]
    yield from _each("cheat", poker)
    yield from _each("discard", poker)
    yield from _each("choose", (*heroes, *names, *(ids[card] for card in (*box.skills, *box.loot)), *poker))
    yield from _each("to", squares)
    for word in OF_LOOT:
        yield from _each(word, weapons if word in ("equip", "stow") else [ids[card] for card in box.loot])
    yield from _each("vermin", names)
    for hero in heroes:
        yield ("hand", hero)
        yield from (("hand", hero, count) for count in HANDFULS)
    yield ("heal",)
    kinds = {ids[card]: box.piece(card)["kind"] for card in box.loot}
    for word in ("buy", "gamble", "sell"):
        yield from _each(
            word, [id_ for id_, kind in kinds.items() if kind != "event" and (kind == "bucks") is (word == "gamble")]
        )
    yield from _each("train", [ids[card] for card in box.skills])
    yield ("onward",)


def _bare(words: Sequence[str]) -> Iterator[Move]:
    return ((word,) for word in words)


def _each(word: str, names: Sequence[str]) -> Iterator[Move]:
    return ((word, name) for name in names)


def _squares(box: Box) -> list[str]:
    """Return the squares of all maps together, by row and column."""
    found: dict[int, str] = {}
    for map_id in box.facts["maps"]:
        board = box.board(map_id)
        for square, name in enumerate(board.names):
            if board.on_map >> square & 1:
                found[square] = name
    return [found[square] for square in sorted(found)]


def ranks(box: Box) -> dict[Move, int]:
    """Return the place of every move in the order of all moves."""
    found: dict[Move, int] = box.once("ranks", lambda: {move: rank for rank, move in enumerate(every(box))})
    return found


def square_of(move: Move) -> int:
    """Return the square that a move names."""
    return NUMBERS[move[1]]


# Names of vermin


def rank(box: Box, vermin: Vermin) -> tuple[int, int]:
    """Return the sort key of a vermin."""
    word, _, number = vermin.name.rpartition("-")
    if not vermin.up:
        return len(box.ids), int(number)
    return vermin.marker, int(number) if number.isdigit() and word else 0


@law("NO-HIDE-1", "NO-HIDE-6")
def christen(table: Table, vermin: Vermin) -> None:
    """Name a vermin: after its marker or, face down, "unknown", with the smallest free number."""
    box = table.box
    taken = {other.name for other in table.vermin if other is not vermin}
    if vermin.up:
        marker = box.marker(vermin.marker)
        if marker.count == 1:
            vermin.name = marker.word
            return
        word = marker.word
    else:
        word = UNKNOWN
    number = 1
    while f"{word}-{number}" in taken:
        number += 1
    vermin.name = f"{word}-{number}"


def insert(table: Table, vermin: Vermin) -> None:
    """Name a vermin that appears or is turned over, and sort it among the others."""
    was = vermin.name
    christen(table, vermin)
    if was and was != vermin.name:
        if table.active == was:
            table.active = vermin.name
        table.fights = [
            fight._replace(
                by=vermin.name if fight.by == was else fight.by, at=vermin.name if fight.at == was else fight.at
            )
            for fight in table.fights
        ]
    if vermin not in table.vermin:
        table.vermin.append(vermin)
    table.vermin.sort(key=lambda one: rank(table.box, one))


def every_name(box: Box) -> list[str]:
    """Return every name that vermin can have, in order."""
    names = []
    for marker in box.markers:
        names += [marker.word] if marker.count == 1 else [f"{marker.word}-{n + 1}" for n in range(marker.count)]
    return names + every_unknown(box)


def every_unknown(box: Box) -> list[str]:
    return [f"{UNKNOWN}-{n + 1}" for n in range(sum(marker.count for marker in box.markers))]


# Tasks and questions

F = TypeVar("F", bound=Callable[..., None])

ASK: Final = "ask"
TASKS: Final[dict[str, Callable[..., None]]] = {}
"""By word, the function of a task. Each module registers its own."""
ANSWERS: Final[dict[str, Callable[..., None]]] = {}
"""By the word of a question, the function that takes its answer."""
GROUP: Final = -1
"""The seat asked for the whole party: the first one, or that of the active hero."""


def task(function: F) -> F:
    """Register a function for the task of the same name."""
    TASKS[function.__name__] = function
    return function


def answer(function: F) -> F:
    """Register a function for the answers to the question of the same name."""
    ANSWERS[function.__name__] = function
    return function


def do(table: Table, word: str, *about: Any) -> None:
    """Put a task on top: it comes next, unless others are put on it."""
    table.todo.append((word, *about))


def do_last(table: Table, word: str, *about: Any) -> None:
    """Put a task at the bottom: it comes when everything waiting now is done, such as at the end of an activation."""
    if (word, *about) not in table.todo:
        table.todo.insert(0, (word, *about))


def ask(table: Table, question: str, moves: Sequence[Move], *about: Any, seat: int = GROUP) -> None:
    """Ask a question, even one with a single answer."""
    assert moves, question
    if len(moves) > 1:
        rank = ranks(table.box)
        moves = sorted(moves, key=lambda move: rank.get(move, len(rank)))
    table.todo.append((ASK, question, seat, tuple(moves), about))


def ask_or_go_on(table: Table, question: str, moves: Sequence[Move], *about: Any, seat: int = GROUP) -> None:
    """Ask a question, or give its single answer without asking."""
    if len(moves) == 1:
        ANSWERS[question](table, moves[0], *about)
    elif moves:
        ask(table, question, moves, *about, seat=seat)


def asked(table: Table) -> tuple[Any, ...] | None:
    """Return the question on top: its word, the seat, the answers, and its details; None if there is none."""
    return table.todo[-1][1:] if table.todo and table.todo[-1][0] == ASK else None


def reply(table: Table, move: Move) -> None:
    """Answer the question on top."""
    _, question, _, _, about = table.todo.pop()
    ANSWERS[question](table, move, *about)


def run(table: Table) -> None:
    """Carry out tasks up to the next question or the end."""
    todo = table.todo
    while todo and todo[-1][0] != ASK:
        word, *about = todo.pop()
        TASKS[word](table, *about)
        if table.won or table.lost:
            table.phase, table.active = ENDED, ""
            left = tuple(todo)
            todo.clear()
            TASKS["gather_up"](table, left)
        elif len(todo) > REACTIONS * 8:
            raise RecursionError("cards set each other off without end")


# Writing

DRAWN: Final = {
    "draws": "poker",
    "finds": "loot",
    "shows": "coin",
    "brings": "marker",
    "speaks": "aspect",
    "hears": "event",
}
"""Words that precede results of chance, and the labels of those draws."""


GOING: Final = ("prowl", "stride", "pounce", "go")
"""Words followed by the squares of a move."""


CARD_WORDS: Final = ("cheat", "discard", "choose")
"""Words that may be followed by a card of the poker deck, written as 5H or QS."""


_PARTS = re.compile(r"[;,]")


_LOOSE = str.maketrans("", "", " -'")


def every_move(facts: Facts) -> list[Move]:
    """Return every small move, in the order of `legal`."""
    return list(every(box_of(facts)))


def write(moves: Sequence[Move], state: Table, _reader: int | None = None) -> str:
    """Write small moves as one line. All of them are made in the open."""
    box, text, going = state.box, "", False
    for move in moves:
        word = move[0]
        if word == "go" and going:
            text += f" {move[1]}"
            continue
        going = word in GOING
        part = _written(box, move)
        if not text:
            text = part
        elif text.endswith(":"):
            text += f" {part}"
        else:
            text += f"{'; ' if word in BEGINNING else ', '}{part}"
    return text


BEGINNING: Final = frozenset(
    {"prowl", "stride", "pounce", "go", "attack", "reload", "investigate", "pick-up", "drop", "transfer", "unstun"}
    | {"leave", "door", "end", "vermin", "act", "onward"}
)
"""These words follow a semicolon: a new action begins."""


def _written(box: Box, move: Move) -> str:
    word = move[0]
    if word == "act":
        return f"{box.names[box.numbers[move[1]]]}:"
    if word == "attack":
        return f"{move[1]} at {move[2]}"
    if word == "vermin":
        return move[1]
    if word in CARD_WORDS and move[1] in box.numbers and box.numbers[move[1]] in box.letters:
        return f"{word} {box.letters[box.numbers[move[1]]]}"
    return " ".join(move)


def drawn(line: str, facts: Facts) -> tuple[str, list[tuple[str, str]]]:
    """Return a line without its results of chance, and these results as labels and pieces. Raises Unreadable."""
    box = box_of(facts)
    kept, draws = [], []
    begin = 0
    for match in [*_PARTS.finditer(line), None]:
        end = match.start() if match else len(line)
        part = line[begin:end]
        words = part.split()
        if words and words[0].lower() in DRAWN:
            label = DRAWN[words[0].lower()]
            rest = words[1:] if label in ("poker", "coin") else [part.split(None, 1)[1]] if len(words) > 1 else []
            draws += [(label, _piece(box, label, each)) for each in rest]
        else:
            kept.append(part + (match[0] if match else ""))
        begin = end + 1
    return "".join(kept).rstrip().rstrip(";,").rstrip(), draws


def _piece(box: Box, label: str, text: str) -> str:
    if label == "coin":
        return typed(text)
    found = _card(box, text) if label == "poker" else None
    if found is None:
        decks = {"poker": box.poker, "loot": box.loot, "aspect": box.aspects, "event": box.events}
        pieces = decks.get(label, box.marker_numbers)
        found = _piece_called(box, text, pieces)
    if found is None:
        raise Unreadable(f'"{text}" cannot be drawn here')
    return found


def _card(box: Box, text: str) -> str | None:
    """Return the id of a card of the poker deck, written as 5H, queen-of-spades or red joker; None if there is none."""
    known: Mapping[str, str] = box.once(
        "cards_typed",
        lambda: {
            typed(way): box.ids[card]
            for card in box.poker
            for way in (box.letters[card], box.ids[card], box.names[card])
        },
    )
    return find_typed(typed(text), known)


# Reading


def read(text: str, state: Table) -> list[Move]:
    """Return the small moves of a line, legal or not. Raises Unreadable or Ambiguous."""
    moves: list[Move] = []
    for part in _PARTS.split(text):
        name, colon, rest = part.partition(":")
        if colon:
            moves.append(_hero(state, name))
            if not typed(rest):
                continue
        moves += _read_part(typed(rest if colon else part), state)
    return moves


def _hero(state: Table, name: str) -> Move:
    box = state.box
    known: Mapping[str, str] = box.once(
        "heroes_typed", lambda: {typed(box.names[hero]): box.ids[hero] for hero in box.hero_numbers}
    )
    found = find_typed(typed(name), known)
    if found is None:
        raise Unreadable(f'"{name.strip()}" is not a hero' + _hint(name, known))
    return ("act", found)


def _hint(text: str, known: object) -> str:
    hint = did_you_mean(text, list(known))  # type: ignore[call-overload]  # names of some kind
    return f"; {hint}" if hint else ""


def _read_part(text: str, state: Table) -> list[Move]:
    box = state.box
    if not text:
        raise Unreadable("a move is missing")
    words = text.split()
    word = words[0]
    if word in DRAWN:
        raise Unreadable(f'"{text}" is a result of chance, which only a script may contain')
    if word in GOING:
        if word == "go" and len(words) == 1:
            raise Unreadable('"go" needs a square: write it like go b4 b5')
        return [(word,)] * (word != "go") + [("go", _square(square)) for square in words[1:]]
    found = _by_text(box).get(text) or _by_text(box).get(bare(text))
    if found is not None:
        return [found]
    if " at " in text:
        return [_attack(text, state)]
    if word in CARD_WORDS:
        card = _card(box, text[len(word) :])
        if card is not None:
            return [(word, card)]
    if word in OF_PIECES:
        piece = _piece_called(box, text[len(word) + 1 :], (*box.hero_numbers, *box.skills, *box.loot))
        if piece is not None:
            return [(word, piece)]
    if word in ("to", "investigate", "search") and len(words) == 2:
        return [("to" if word == "to" else "investigate", _square(words[1]))]
    if word == "door" and len(words) == 2:
        return [("door", words[1])]
    return [_meant(text, state)]


OF_PIECES: Final = frozenset(
    {"reload", "use", "choose", "transfer", "hand", "buy", "gamble", "sell", "train", *OF_LOOT}
)
"""Words of moves that name a piece. A piece of another kind is refused by a rule, not unreadable."""


def _piece_called(box: Box, text: str, pieces: Sequence[int]) -> str | None:
    """Return the id of one of these pieces, by its id or its name; None if there is none."""
    known = {box.typed_ids[piece]: box.ids[piece] for piece in pieces}
    return find_typed(typed(text), known | {box.typed_names[piece]: box.ids[piece] for piece in pieces})


def _by_text(box: Box) -> dict[str, Move]:
    """Return every move by its text, with ids and with names."""

    def made() -> dict[str, Move]:
        known: dict[str, Move] = {}
        for move in ranks(box):
            known[typed(_written(box, move))] = move
            if len(move) == 2 and move[1] in box.numbers and move[0] not in ("act", "vermin"):
                known.setdefault(typed(f"{move[0]} {box.names[box.numbers[move[1]]]}"), move)
            if len(move) == 2:
                known.setdefault(typed(" ".join(move)), move)
        for text, move in [*known.items()]:
            known.setdefault(bare(text), move)
        return known

    found: dict[str, Move] = box.once("moves_typed", made)
    return found


def bare(text: str) -> str:
    """Return a text without spaces, hyphens and apostrophes."""
    return text.translate(_LOOSE)


def _square(text: str) -> str:
    if text not in NUMBERS:
        raise Unreadable(f'"{text}" is not a square; write it like c3')
    return text


def _attack(text: str, state: Table) -> Move:
    """Return the attack in a text of the form "weapon at target"."""
    box = state.box
    what, _, whom = text.partition(" at ")
    ways: Mapping[str, str] = box.once("attacks_typed", lambda: _attacks(box))
    attack = find_typed(what.strip(), ways) or _piece_called(box, what.strip(), box.loot)
    if attack is None:
        raise Unreadable(f'"{what}" is not an attack' + _hint(what, ways))
    target = whom.strip()
    if target in NUMBERS:
        return ("attack", attack, target)
    hero = _piece_called(box, target, box.hero_numbers)
    if hero is not None:
        return ("attack", attack, hero)
    return ("attack", attack, _figure(target, state))


def _attacks(box: Box) -> dict[str, str]:
    """Return every attack by its names as typed."""
    ways = {UNARMED: UNARMED} | {typed(str(box.piece(hero)["attack"])): UNARMED for hero in box.hero_numbers}
    for card in box.loot:
        if card in box.weapons:
            ways |= {box.typed_ids[card]: box.ids[card], box.typed_names[card]: box.ids[card]}
    return ways


def _figure(text: str, state: Table) -> str:
    """Return the name of a vermin, given in full or by an unambiguous ending."""
    box = state.box
    known: Mapping[str, str] = box.once("vermin_typed", lambda: {typed(name): name for name in every_name(box)})
    found = find_typed(text, known)
    if found is not None:
        return found
    ends = [name for name in known.values() if name.endswith(f"-{text}")]
    if len(ends) == 1:
        return ends[0]
    there = [vermin.name for vermin in state.vermin if vermin.name.startswith(text)]
    if len(there) > 1:
        raise Ambiguous(f'"{text}" could be {listed(there, "or")}')
    if len(there) == 1:
        return there[0]
    raise Unreadable(f'"{text}" is not a vermin' + _hint(text, known))


def _meant(text: str, state: Table) -> Move:
    """Return the one legal move that an incomplete text can mean. Raises Unreadable or Ambiguous."""
    word, _, rest = text.partition(" ")
    if word == "choose" and rest:
        return ("choose", _figure(rest, state))
    legal = [move for move in state.legal() if typed(_written(state.box, move)).endswith(f" {text}")]
    starts = [move for move in state.legal() if typed(_written(state.box, move)).startswith(f"{text}")]
    possible = legal or starts
    if len(possible) > 1:
        texts = [_written(state.box, move) for move in possible]
        raise Ambiguous(f'"{text}" could be {listed(texts[:6], "or")}')
    if possible and legal:
        return possible[0]
    try:
        return ("vermin", _figure(text, state))
    except Unreadable:
        raise Unreadable(f'"{text}" is not a move of this game' + _hint(text, _by_text(state.box))) from None
