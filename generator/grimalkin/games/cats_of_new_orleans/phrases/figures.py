"""Who, where and which: the three parts common to all sentences. None of them belongs to a verb."""

from __future__ import annotations

from typing import Final

from grimalkin.engine.phrases import Form, Kind, Phrase, Series

YOU: Final = Phrase("you")
"""The hero who has the card, or who draws an event."""
ITSELF: Final = Phrase("this-vermin")

WHICH: Final = (
    ("any", ""),
    ("stunned", "stunned "),
    ("unstunned", "unstunned "),
    ("wounded", "wounded "),
    ("vulnerable", "vulnerable "),
    ("unrevealed", "unrevealed "),
    ("revealed", "revealed "),
)
"""States of a vermin, named before it."""


def _article(word: str) -> str:
    return f"{'an' if word[:1] in tuple('aeiou') else 'a'} {word}"


FIGURES: Final = (
    Kind(
        "a-which",
        "a vermin in some state",
        [Form(name, _article(word), f"Stun {_article(word)}vermin.", offered=True) for name, word in WHICH],
    ),
    Kind(
        "each-which",
        "every vermin in some state",
        [Form(name, f"each {word}", f"Stun each {word}vermin.", offered=True) for name, word in WHICH],
    ),
    Kind(
        "all-which",
        "all vermin in some state",
        [Form(name, word, f"Stun up to 2 {word}vermin.", offered=True) for name, word in WHICH],
    ),
    Kind(
        "where",
        "where somebody stands",
        [
            Form("anywhere", ""),
            Form("adjacent", " adjacent to you"),
            Form("surrounding", " surrounding you"),
            Form("your-square", " in your square", example="Each hero in your square recovers 1 Life.", offered=True),
            Form("your-big-square", " in your big square"),
            Form("in-sight", " in sight"),
            Form("within", " within Range {n:number}"),
            Form(
                "within-in-sight",
                " within Range {n:number} and in sight",
                example="Stun a vermin within Range 4 and in sight.",
                offered=True,
            ),
            Form("on-map", " on the map"),
            Form("with-ap", " with {n:number} AP"),
            Form("in-water", " in water"),
            Form("in-hindering", " in hindering terrain"),
            Form(
                "same-big-square",
                " in the same big square",
                example="Stun each vermin in the same big square.",
                offered=True,
            ),
            Form("adjacent-to", " adjacent to {figure}"),
            Form("surrounding-whom", " surrounding {figure}"),
            Form("within-of", " within Range {n:number} of {figure}"),
            Form("beside", " beside {figure}"),
        ],
    ),
    Kind(
        "but",
        "who is left out",
        [Form("nobody", ""), Form("no-boss", " that is not a boss"), Form("not", " except {foe:name foes}")],
    ),
    Kind(
        "figure",
        "a hero, a vermin, each of them",
        [
            Form("a-hero", "a hero{where}"),
            Form("another-hero", "another hero{where}"),
            Form("each-hero", "each hero{where}"),
            Form("each-other-hero", "each other hero{where}"),
            Form("nearest-hero", "the nearest hero", example="The nearest hero recovers 1 Life.", offered=True),
            Form("that-hero", "that hero"),
            Form("hero-fewest-lives", "the hero with the fewest Lives"),
            Form("a-vermin", "{which:a-which}vermin{where}{but}"),
            Form("another-vermin", "another vermin{where}{but}", example="Stun another vermin.", offered=True),
            Form("each-vermin", "{which:each-which}vermin{where}{but}"),
            Form("nearest-vermin", "the nearest vermin", example="Stun the nearest vermin.", offered=True),
            Form("that-vermin", "that vermin", example="Stun that vermin.", offered=True),
            Form("this-vermin", "this vermin"),
            Form("named", "the {foe:name foes}"),
            Form("named-plainly", "{foe:name foes}"),
            Form("first-wounded", "the first wounded among {bosses}"),
            Form("zombie", "a zombie"),
            Form("stinkbomb", "a Stinkbomb token"),
            Form("each-stinkbomb", "each Stinkbomb token"),
            Form("each-figure", "each figure{where}{but}"),
            Form("each-other-figure", "each other figure{where}"),
            Form("target", "the target", example="Push the target 1 square.", offered=True),
            Form("attacker", "the attacker"),
            Form("it", "it"),
        ],
    ),
    Kind("bosses", "vermin by their names, in order", Series("boss", ", ", " and ")),
    Kind("boss", "a vermin by its name", [Form("the", "the {foe:name foes}"), Form("plainly", "{foe:name foes}")]),
    Kind(
        "whom",
        "you, a hero, a vermin, each of them",
        [
            Form("you", "you"),
            Form("figure", "{figure}"),
            Form("up-to", "up to {n:number} {which:all-which}vermin{where}{but}"),
        ],
    ),
    Kind(
        "terrain",
        "kinds of terrain",
        [
            Form("hindering", "hindering terrain"),
            Form("water", "water"),
            Form("hindering-and-water", "hindering terrain and water"),
            Form("figures", "figures", example="Ignore figures.", offered=True),
            Form("hindering-and-figures", "hindering terrain and figures"),
        ],
    ),
    Kind(
        "objective",
        "squares with an Objective token, in the order in which they are searched",
        [
            Form("only", "H"),
            Form("each", "each H"),
            Form("first", "the first H"),
            Form("second", "the second H"),
        ],
    ),
    Kind(
        "side",
        "anybody of a side",
        [Form("heroes", "hero"), Form("vermin", "vermin", example="No vermin may attack.", offered=True)],
    ),
)
