"""The command `odds`, which prints exact odds calculated by a game's engine."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any

from grimalkin.cli.answers import answering
from grimalkin.cli.common import GAME, Command, add_names, add_number, load
from grimalkin.problems import Place, Problem, Problems, Stop, did_you_mean
from grimalkin.problems.plain import columns, listed, plural, signed

if TYPE_CHECKING:
    from grimalkin.content import Game
    from grimalkin.engine.odds import Answer, Attempt, Case, Expected, Odds, Target

COMMANDS = ("odds",)
_ODDS = """\
Without ATTEMPT, it lists what you can ask about. Without TARGET, it shows how one attempt fares against each target.
The odds are exact: the engine counts every way in which the cards can come up.

examples:
  grimalkin odds cats-of-new-orleans
  grimalkin odds cats-of-new-orleans pepperbox
  grimalkin odds cats-of-new-orleans pepperbox pistoleers
  grimalkin odds cats-of-new-orleans pepperbox george-burr --when hindered,vulnerable --modifier 2
  grimalkin odds cats-of-new-orleans pepperbox pistoleers --seen QH,QD,10C,9,9 --holding J
  grimalkin odds cats-of-new-orleans croc-jaws minou --holding A --left 3 --json

Give a card by its value (9, J, A), or as a single card (9H, jack-of-spades). Seen cards are those discarded since the
last shuffle. A held card may replace a drawn one after you have seen it; each number then assumes the best use of it.
"""
MOST_MODIFIER = 30


def add(command: Command) -> None:
    odds = command("odds", _odds, "Print the exact odds of an attempt, such as an attack", _ODDS)
    odds.add_argument("game", metavar="GAME", help=GAME)
    odds.add_argument(
        "attempt", nargs="?", metavar="ATTEMPT", help="an attempt, such as an attack, or the piece that has it"
    )
    odds.add_argument("target", nargs="?", metavar="TARGET", help="the target of the attempt")
    odds.add_argument(
        "--modifier", type=_modifier, metavar="N", help="number to add to each draw (default: show several)"
    )
    add_names(odds, "--when", "circumstances that apply, separated by commas")
    odds.add_argument(
        "--seen", type=_cards, default=[], metavar="CARDS", help="cards that cannot come up, separated by commas"
    )
    odds.add_argument(
        "--holding", type=_cards, default=[], metavar="CARDS", help="cards in hand, which may replace a drawn one"
    )
    add_number(odds, "--left", 1, 99, "how much the target can still take, such as its Health (default: all of it)")
    odds.add_argument("--json", action="store_true", help="print JSON, for programs")


def _modifier(text: str) -> int:
    """Read a number with its sign; the minus may be a hyphen or a real minus sign."""
    plain = text.replace("−", "-")
    digits = plain[1:] if plain[:1] in "+-" else plain
    if not (digits.isascii() and digits.isdigit() and int(digits) <= MOST_MODIFIER):
        raise argparse.ArgumentTypeError(f'"{text}" is not a whole number from −{MOST_MODIFIER} to {MOST_MODIFIER}')
    return int(plain)


def _cards(text: str) -> list[str]:
    """Read words separated by commas; a word may be repeated."""
    found = [word.strip() for word in text.split(",") if word.strip()]
    if not found:
        raise argparse.ArgumentTypeError(f'"{text}" contains no card')
    return found


def _odds(options: argparse.Namespace) -> int:
    from grimalkin.engine.odds import find_odds

    with answering(options) as record:
        game = load(options.game)
        counted = find_odds(game.module)
        if counted is None or game.module is None:
            why = "has no engine" if game.module is None else "computes no odds"
            raise Stop.at(Place(options.game), f"{game.info.title} {why}", "try `grimalkin simulate`")
        odds = counted(game.facts)
        if options.attempt is None:
            _alone(options)
            record |= _known_record(odds)
            told = _known(odds, game)
        else:
            cases = _cases(options, odds)
            answers = [(case, odds.answer(case)) for case in cases]
            record |= {"answers": [_answer_record(case, answer) for case, answer in answers]}
            told = _told(options, odds, answers)
        if not options.json:
            for line in told:
                print(line)
    return 0


def _alone(options: argparse.Namespace) -> None:
    """Refuse circumstances if no attempt is given."""
    given = {"--when": options.when, "--seen": options.seen, "--holding": options.holding, "--left": options.left}
    wrong = [name for name, value in given.items() if value] + ["--modifier"] * (options.modifier is not None)
    if wrong:
        raise Stop(Problem(Place(name), "this needs an ATTEMPT", "name one before it") for name in wrong)


# Questions


def _cases(options: argparse.Namespace, odds: Odds) -> list[Case]:
    """Return a case for each requested attempt and target. Stops with every unknown word."""
    from grimalkin.engine.odds import Case, read_cards

    problems = Problems()
    attempts = odds.attempts_of(options.attempt)
    if not attempts:
        known = [*(one.id for one in odds.attempts), *(one.piece for one in odds.attempts)]
        hint = did_you_mean(options.attempt, list(dict.fromkeys(known)))
        problems.add(Place("ATTEMPT"), f'there is no attempt "{options.attempt}"', hint)
    aims = list(dict.fromkeys(id_ for one in attempts or odds.attempts for id_ in one.targets))
    if options.target is not None and options.target not in aims:
        what = attempts[0].name if len(attempts) == 1 else "any of these" if attempts else "anything"
        problems.add(
            Place("TARGET"), f'"{options.target}" is not a target of {what}', did_you_mean(options.target, aims)
        )
    names = [one.id for one in odds.circumstances]
    for name in options.when:
        if name not in names:
            problems.add(Place("--when"), f'there is no circumstance "{name}"', did_you_mean(name, names))
    held, wrong_held = read_cards(odds, options.holding, held=True)
    seen, wrong_seen = read_cards(odds, options.seen, before=options.holding)
    for place, wrong in (("--holding", wrong_held), ("--seen", wrong_seen)):
        for one in wrong:
            problems.add(Place(place), one.because, _cards_hint(odds, one.word))
    if len(held) > odds.most_held:
        problems.add(Place("--holding"), f"{len(held)} cards are too many", f"at most {odds.most_held} may be held")
    problems.stop()
    return [
        Case(attempt.id, target, options.modifier or 0, tuple(options.when), seen, held, options.left or 0)
        for attempt in attempts
        for target in ([options.target] if options.target is not None else attempt.targets)
        if target in attempt.targets
    ]


def _cards_hint(odds: Odds, word: str) -> str:
    known = {name for card in odds.cards for piece in card.pieces for name in (card.id, *piece)}
    return "" if word.lower() in {name.lower() for name in known} else did_you_mean(word, sorted(known))


# For people


def _known(odds: Odds, game: Game) -> Iterator[str]:
    """Yield the lines of a list of all possible questions."""
    yield f"{odds.title} of {game.info.title}, by what has them:"
    wide = max(len(one.id) for one in odds.attempts)
    for group, several in groupby(odds.attempts, key=lambda one: one.group):
        yield f"\n{group}"
        yield from (f"  {one.id:<{wide}}  {one.told}" for one in several)
    yield "\naimed at"
    wide = max(len(one.id) for one in odds.targets)
    yield from (f"  {one.id:<{wide}}  {one.told}".rstrip() for one in odds.targets)
    yield "\nwhen"
    wide = max(len(one.id) for one in odds.circumstances)
    yield from (f"  {one.id:<{wide}}  {one.name}: {one.told} [{one.rule}]" for one in odds.circumstances)
    first = odds.attempts[0]
    yield f"\nnext: grimalkin odds {game.name} {first.id} {first.plain}"


def _told(options: argparse.Namespace, odds: Odds, answers: Sequence[tuple[Case, Answer]]) -> Iterator[str]:
    """Yield the answers as tables, a paragraph for each attempt; for a single case, also with several modifiers."""
    by_attempt = groupby(answers, key=lambda pair: pair[0].attempt)
    for number, (id_, pairs) in enumerate(by_attempt):
        several = list(pairs)
        attempt = odds.attempts_of(id_)[0]
        if number:
            yield ""
        if options.target is None:
            yield f"{attempt.name} ({attempt.told})"
            yield from _by_target(odds, several)
        else:
            yield from _one(options, odds, attempt, *several[0])


def _by_target(odds: Odds, pairs: Sequence[tuple[Case, Answer]]) -> Iterator[str]:
    """Yield a table with one row for all targets that have the same numbers."""
    alike: dict[tuple[tuple[Expected, ...], tuple[Expected, ...]], list[Target]] = {}
    for case, answer in pairs:
        alike.setdefault((answer.numbers, answer.held), []).append(odds.target(case.target))
    heads = [one.what for one in pairs[0][1].numbers]
    rows = []
    for (numbers, held), targets in alike.items():
        shown = {one.what: one for one in held or numbers}
        rows.append([", ".join(one.name for one in targets), *(_shown(shown.get(what)) for what in heads)])
    yield from columns([["", *heads], *rows])


def _one(options: argparse.Namespace, odds: Odds, attempt: Attempt, case: Case, answer: Answer) -> Iterator[str]:
    """Yield the lines for one case, with everything that affects it."""
    target = odds.target(case.target)
    yield f"{attempt.name} ({attempt.told}) at {target.name}" + (f" ({target.told})" if target.told else "")
    if answer.added or case.modifier:
        why = [f"{signed(n)} [{rule}]" for rule, n in answer.added]
        why += [signed(case.modifier)] if case.modifier else []
        yield f"{signed(answer.modifier)} on each draw: {', '.join(why)}"
    yield from (f"{text} [{rule}]" for rule, text in answer.remarks)
    names = {card.id: card.name for card in odds.cards}
    if case.seen:
        yield f"{plural(len(case.seen), 'card')} cannot come up before a shuffle: {_shortly(case.seen, names)}"
    heads = ["", "", f"holding {listed([names[id_] for id_ in case.held])}", "worth"]
    with_hand = {one.what: one for one in answer.held}
    rows = [
        [one.what, _shown(one), *([_shown(with_hand[one.what]), _gain(one, with_hand[one.what])] if case.held else [])]
        for one in answer.numbers
    ]
    yield ""
    yield from columns([heads, *rows] if case.held else rows)
    if options.modifier is None and not case.held:
        yield "\nwith other modifiers on each draw:"
        by_modifier = [(n, odds.answer(case._replace(modifier=n)).numbers) for n in odds.modifiers]
        heads = ["", *(one.what for one in answer.numbers)]
        yield from columns([heads, *([signed(n), *map(_shown, numbers)] for n, numbers in by_modifier)])


def _shortly(kinds: Sequence[str], names: Mapping[str, str]) -> str:
    """List cards, with the number of each."""
    counts = {id_: kinds.count(id_) for id_ in names if id_ in kinds}
    return ", ".join(f"{count} × {names[id_]}" if count > 1 else names[id_] for id_, count in counts.items())


def _shown(one: Expected | None) -> str:
    """Return a number as people read it: a share as a percentage, shown as 0 or 100 % only if that is exact."""
    if one is None:
        return "–"
    if not one.is_share:
        return f"{float(one.value):.2f}"
    share = 100 * float(one.value)
    if one.value in (0, 1):
        return f"{share:.0f} %"
    return f"{min(max(share, 0.1), 99.9):.1f} %"


def _gain(one: Expected, other: Expected) -> str:
    """Return the difference between two numbers, with a plus or minus sign."""
    more = float(other.value - one.value) * (100 if one.is_share else 1)
    told = f"{more:+.1f}" if one.is_share else f"{more:+.2f}"
    return told.replace("-", "−") if more else "0"


# For programs


def _known_record(odds: Odds) -> dict[str, Any]:
    return {
        "title": odds.title,
        "attempts": [{**one._asdict(), "targets": list(one.targets)} for one in odds.attempts],
        "targets": [one._asdict() for one in odds.targets],
        "circumstances": [one._asdict() for one in odds.circumstances],
        "cards": [
            {"id": one.id, "name": one.name, "count": one.in_deck, "held": one.can_be_held} for one in odds.cards
        ],
        "modifiers": list(odds.modifiers),
        "notes": [{"rules": list(rules), "text": text} for rules, text in odds.notes],
    }


def _answer_record(case: Case, answer: Answer) -> dict[str, Any]:
    held = {"held": _numbers_record(answer.held)} if case.held else {}
    return {
        "attempt": case.attempt,
        "target": case.target,
        "modifier": answer.modifier,
        "added": [{"rule": rule, "adds": n} for rule, n in answer.added],
        "numbers": _numbers_record(answer.numbers),
        **held,
        "remarks": [{"rule": rule, "text": text} for rule, text in answer.remarks],
    }


def _numbers_record(numbers: Sequence[Expected]) -> list[dict[str, Any]]:
    return [
        {"what": one.what, "exact": str(one.value), "value": round(float(one.value), 6), "share": one.is_share}
        for one in numbers
    ]
