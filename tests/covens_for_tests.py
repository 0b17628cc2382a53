"""Curses & Covens for its tests: positions from text, and lines with the names of their seats."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from playing import played, turn

from grimalkin.engine.chance import Scripted
from grimalkin.engine.words import Event
from grimalkin.games import curses_and_covens as game


def record_of(text: str, **record: Any) -> dict[str, Any]:
    """A record from `Hester: love-rose; ritual-bell | Ada: baker miller | Basil:`: witches and rituals in front of the
    Witch Hunter, and the hands of the towns. The gravedigger is in the woods if no card is named."""
    seats = {}
    for place, seat in enumerate(text.split("|")):
        name, _, cards = seat.partition(":")
        witches, _, rituals = cards.partition(";")
        has = {"hand": cards.split()} if place else {"witches": witches.split(), "rituals": rituals.split()}
        seats[name.strip()] = has
    return {"seats": seats, "woods": "gravedigger", **{key.replace("_", "-"): value for key, value in record.items()}}


def no_deck(cards: Iterable[str], text: str, *out: str) -> str:
    """The seats of a position in which the deck has run out: the last town has every one of the `cards` that lies
    nowhere, but for the gravedigger in the woods and those `out`."""
    there = {"gravedigger", *out, *text.replace(";", " ").split()}
    return " ".join([text, *(card for card in cards if card not in there)])


def script(*draws: str) -> Scripted:
    """What chance gives next, as `Ada baker` or `pick smith`."""
    labels = [draw.split() for draw in draws]
    return Scripted([(label, item) for label, *items in labels for item in items])


def play(state: Any, *lines: str) -> list[Event]:
    """The events while lines are played, each with the name of the seat that must be the one to act."""
    events = []
    for line in lines:
        name, _, text = line.partition(": ")
        assert name == turn(state), f"{line}: it is the turn of {turn(state)}"
        events += played(game, state, text)
    return events
