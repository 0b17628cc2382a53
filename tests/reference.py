"""Generate the pages of the designers' reference from the registries: Markdown, and a picture of every stock.

Everything that can be listed is listed from the code itself, with its own words: descriptions of the fields of models,
help of the command line, registries of elements, attributes and filters. What has no registry is described in the
tables below; a test reports what is missing. The pages are checked in, and `pytest --bless` renews them.
"""

from __future__ import annotations

import argparse
import re
import types
from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from html import escape
from importlib.metadata import entry_points, requires
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Any, Literal, Union, cast, get_args, get_origin

from grimalkin.content import load_game
from grimalkin.content.cutters import CutterTemplate
from grimalkin.content.label_sheets import LabelSheet, load_label_sheets
from grimalkin.content.models import Component, Maps, Mark
from grimalkin.content.player_aids import (
    Checked,
    FirstPiece,
    Glance,
    Label,
    LearnFile,
    Moment,
    QuickFile,
    QuickLine,
    QuickRows,
    QuickTable,
    SetUp,
    ToldRound,
)
from grimalkin.content.rules import SearchFile
from grimalkin.content.scenarios import Apart, Clause, Entry, Scenario, StoryFile
from grimalkin.content.schemas import every_file
from grimalkin.content.shops import Names, Product, Shop, Sides, sides
from grimalkin.content.stocks import Paper, Stock, load_papers, load_stocks
from grimalkin.content.texts.styles import STYLE_WORDS
from grimalkin.content.values import Model
from grimalkin.engine.phrases import Series
from grimalkin.engine.pictures import WISHES
from grimalkin.games.cats_of_new_orleans.facts import every_text
from grimalkin.games.cats_of_new_orleans.phrases import TABLE, names_of
from grimalkin.parts.albums.content import Album, AlbumPicture, AlbumsFile
from grimalkin.parts.campaign.episodes import Episode, ToldCampaign
from grimalkin.parts.catalogues.content import (
    Catalogue,
    CataloguesFile,
    Level,
    Lines,
    Met,
    Named,
    NamedBy,
    Sentences,
    Under,
)
from grimalkin.printing.face import Composer, standalone_svg
from grimalkin.printing.face.images.qr import LEAST_MODULE
from grimalkin.printing.face.svg.subset import ATTRIBUTES, ELEMENT_WORDS, ELEMENTS, FIELD, QR, TEXTBOX
from grimalkin.printing.face.templating.allowed import FILTERS
from grimalkin.printing.face.templating.budget import MOST_CHARACTERS, MOST_TURNS
from grimalkin.printing.face.templating.sandbox import Sandbox
from grimalkin.printing.type.breaks import LEAST_AFTER, LEAST_BEFORE
from grimalkin.problems import Place, Problems
from grimalkin.site.pages.links import escaped
from grimalkin.source import data_folder

VARIABLES = {
    "card": "the component: `id`, `name`, `count`, `deck`, and the deck's own columns; hyphens in their names become "
    "underscores, and an empty cell is none",
    "side": '`"front"` or `"back"`',
    "deck": "the id of its deck; a back that uses nothing else about the card is drawn once for all cards",
    "stock": "the stock: `name`, `shape`, and in millimetres `width`, `height`, `corner`, `bleed`, `safe`, `fold`, "
    "`foot`; `outline`, its edge as an SVG path",
    "inks": 'the design: `"full"`, `"low"` (white paper and outlines) or `"mono"` (black only)',
    "game": "the game: `name` of its folder, `title`, `tagline`, and `version` of its rules",
    "palette": "the game's own colours: `palette.red`",
    "decks": 'all components: `decks["cards"]` is a list of values like `card`',
    "maps": 'the maps by id: `maps["cellar"]` has `name`, `columns`, `rows`, `squares`, `upright`, `flat`, '
    "`marks`, `spaces`, `track`, `legend`, `looks`, the look of each square, and `names` and `decor`, each with "
    "`column`, `row`, `columns`, `rows` and `words`",
    "scenarios": 'the scenarios by id, with the contents of their files: `scenarios["robbery"].title`',
    "story": "the entries of the story, each with `number`, `title`, `text` and `does`",
    "lists": 'the lists of game.yaml: `lists["powers"]`, rows with `id`, `name` and columns',
    "habits": (
        'what pieces that act by themselves do, by id, if an engine describes it: `habits["croc"]` is a list of '
        "sentences, each with `when`, `text` and `rules`"
    ),
    "icons": "the names of all icons: `{% if card.suit in icons %}`",
    "ink": "our black, #1d1a26",
    "paper": "our paper, #f7f1e3",
    "moon": "our accent, #e8d9a8",
}
"""What a template knows, in addition to what it sets itself."""

FUNCTIONS = {
    "icon": '`icon(name, x, y, size, fill, label="")` draws an icon, top left corner at x, y, with a spoken label',
    "fail": '`fail("…")` stops with your message and the name of the card',
    "range": "`range(5)` counts from 0 to 4, `range(1, 5)` from 1 to 4",
    "dict": "`dict(a=1)` makes a mapping",
    "namespace": "`namespace(x=0)` holds values that a loop may change: `{% set ns.x = ns.x + 1 %}`",
}

BLOCKS = {
    "ground": "the background; with full inks a paper colour, out to the bleed",
    "art": "pictures",
    "words": "text",
}

PAINTED = """\
<linearGradient id="dusk" gradientUnits="userSpaceOnUse" x1="0" y1="0" x2="0" y2="88">
  <stop offset="0" stop-color="#22304a"/>
  <stop offset="1" stop-color="#e8d9a8"/>
</linearGradient>
<clipPath id="window"><rect x="6" y="6" width="51" height="40" rx="4"/><circle cx="31" cy="46" r="8"/></clipPath>
<rect x="-3" y="-3" width="69" height="94" fill="url(#dusk)" clip-path="url(#window)"/>
<g opacity="0.6"><circle cx="26" cy="20" r="6" fill="#ffffff"/><circle cx="33" cy="20" r="8" fill="#ffffff"/></g>"""
"""More than flat ink, in a template."""

MARKS = {
    "**bold** and *italic*": "emphasis, as in CommonMark; each ends with its paragraph or item",
    "2:paw: or :paw::moon:": "icons, next to anything",
    "[[owl]] with [[=power]]": "the names of a component and of a term; on pages both are links; `[[TI-PLAY-1]]` links "
    "to a rule",
    "[[owl|the *bird*]]": "a reference with your own words",
    "{danger|Now {small|or :paw:} never}": "a style by name, the game's own or one from below; it may contain any "
    "marks, and ends with its paragraph or item",
    "one{br}two": "a line break; on cards the end of a line is one, too, and a blank line ends a paragraph",
    "- one\n- two\n  1. first": "lists: lines that begin with `-` or a number with a full stop, and a space; indent "
    "a nested list by two more spaces",
    "{if cards|this side up}{if not low|, in colour}": "words that appear only if the condition holds: in `cards`, "
    "`pages` or `books`; in `full`, `low` or `mono` inks (pages have `full`); or on a card whose "
    "column of that name has a value other than 0, no or false",
    r"\*, \{, \:paw:, \[[, \- one": "these characters themselves; braces that are not marks need no backslash",
}
"""The marks that may be written in any text."""

OF_SCENARIOS = (
    *(Maps, Mark, Scenario, Clause, Apart, StoryFile, Entry, AlbumsFile, Album, AlbumPicture),
    *(ToldCampaign, Episode),
)
"""Models described on a page of their own, since few games have them."""
OF_CATALOGUES = (CataloguesFile, Catalogue, Lines, Sentences, Named, NamedBy, Met, Under, Level)
"""The same."""
OF_QUICK = (QuickFile, Glance, QuickLine, QuickTable, QuickRows)
"""The same."""
OF_LEARNING = (LearnFile, SetUp, Checked, Label, FirstPiece, ToldRound, Moment)
"""The same."""
PAGES_OF_THEIR_OWN = {
    **dict.fromkeys(OF_SCENARIOS, "scenarios.md"),
    **dict.fromkeys(OF_CATALOGUES, "catalogues.md"),
    **dict.fromkeys(OF_QUICK, "quick-reference.md"),
    **dict.fromkeys(OF_LEARNING, "learning.md"),
    SearchFile: "your-own-game.md",
}
QUICK = """\
# A quick reference

This page shows how to make a quick reference for your game.
Everything that players look up at the table is on one page: the round, costs, values and how the game ends.
It fits on a screen, prints on one sheet of paper, and every line leads to its rule.
`quick.yaml` describes it:

```yaml
quick:
  - id: turn
    title: Your turn
    rules: [TI-TURN-1]
    numbered: yes
    lines:
      - {text: Draw **1** card., rules: [TI-TURN-2]}
      - {text: "Play a card, or pass.", rules: [TI-PLAY-1, TI-PLAY-4]}
      - TI-TURN-5
  - id: cards
    title: The cards
    table:
      of: Card
      heads: [power, how many]
      rows:
        - {deck: cards, columns: [power, count], sort: power}
```

A line is a few words of your own with the rules behind them.
A rule's id by itself stands for the rule's `summary` in `rules.yaml`, or its title if it has none.
Without `quick.yaml`, the page has the summaries of all rules that have one, section by section.

## Tables

You never retype numbers: a table takes them from the tables of the decks.
If a number changes there, it changes here.

- `rows` names the deck. Every piece of the deck is a row; a piece with none of the columns is left out.
- `by` makes a row for each value of a column, such as each suit; `together` makes one row of all pieces.
- A cell for several pieces shows the value they share, the least and the largest number, or all values.
- `only` keeps pieces with certain values in a column, `name` takes a row's name from a column, `sort` gives the order.
- `columns` are the cells, and `[first, second]` puts two columns into one. `count` is the number of pieces.
- `called` shows your own words in place of some values, `icons` shows values as icons with these names.
- `told` adds a last column with your own words, and the build stops if a row has none.
- A table may have several `rows`, from one deck or from several; they follow each other.

A table can also come from the engine: `table: {engine: costs}` is the one that it offers as `costs`.
An engine offers tables as `CRIBS`: under each name, a function that takes the facts and makes a
`grimalkin.engine.cribs.Crib`.

## On paper

The page prints on one sheet, in three columns.
The downloads also have it as a two-sided card, to print, cut out and hand around.
Its text is as large as the card allows, from 10.5 pt down to 6.5.
The card is A6, or A5 if there is more to say.
If it does not fit on A5 either, the build stops: write less.
A sheet with it fills the paper, and as the last page of the [rulebook](rulebooks.md) it is enough to play by.

The card is drawn by `base/quick-card.svg.j2`, or by `faces/quick-card.svg.j2` if your game has one.
The layout is already made: `columns` have an `x`, a `width`, `texts`, each with its box, and `rules`, the lines between
them.

A rule, a deck, a column, an icon, a row or a table that does not exist is reported as a problem on the line that
names it.

## Keys
"""
LEARNING = """\
# A page for newcomers

This page shows how to write *Learn to play*, the page for people who have never seen your game.
Rules are for looking things up.
Somebody who has never seen your game wants to know in a minute what it is about, and to play it in ten.
`learn.yaml` holds what they need, and the site turns it into *Learn to play*, the first page after the overview.
Without the file, there is no such page.

```yaml
about: >-
  You collect cats ([[TI-GOAL-1]]).
  Each night you take one card ([[TI-TURN-1]]).
  Whoever has the most cats at dawn wins ([[TI-WIN-1]]).
setup:
  position: {of: TI-PLAY-1, after: 2}
  steps:
    - Shuffle all cards and deal two to each player ([[TI-SETUP-1]]).
    - Whoever saw a cat last begins ([[TI-SETUP-2]]).
  labels:
    - {drawn: deck, text: "The cards that nobody has yet ([[TI-SETUP-1]])."}
    - {drawn: tom, which: 2, side: above, text: "Ada's second card ([[TI-SETUP-1]])."}
round:
  - "**Take** a card ([[TI-TURN-1]])."
  - "**Lay** it, or keep it ([[TI-TURN-2]])."
pieces:
  - piece: tom
    title: How to read a card
    text: Every card is a cat ([[TI-CARD-1]]).
    labels:
      - {drawn: power, text: "How strong it is ([[TI-CARD-2]])."}
told:
  playthrough: TI-PLAY-1
  text: This is the first round of a real game.
  moments:
    - {first: 3, last: 4, text: "Ada takes the tom ([[TI-TURN-1]])."}
later:
  - Leave the night cards in the box ([[TI-CARD-7]]).
```

Write it to be read aloud: short sentences, and "you" for the player.
Put the rule in brackets after every statement: the page turns it into a small number that links to the rule.
A paragraph without a rule is reported as a problem, and so is a rule that does not exist.

## Numbers in pictures

The picture of the set-up is a position from a playthrough or an example, so the engine has checked it.
It is drawn like all positions: by the game's `table.svg.j2`, or on its map.
The picture of a piece shows its face.

A label puts a number beside the picture, with a thin line to what it explains.
`drawn` says what that is, and finds it even if the picture changes:

- the name of a text box on a face,
- the id of a symbol or a group that is drawn, as in `<use href="#tom"/>`, or of any element,
- or a word in the picture, exactly as it is written there.

If several things have that name, `which` chooses one, in the order in which the template draws them.
On a map, `square` names a square.
For anything without a name, give its `place`, in millimetres from the picture's left and top edges.
A number appears on the nearest side of the picture, or on the `side` that you choose.
The build reports everything that it cannot find.

## Moves from a playthrough

`told` takes its moves from a playthrough, so every move on this page follows the rules.
`first` and `last` are the numbers of moves on the playthrough's page.
Below your text, the page shows the moves and what happened, and beside them the table at that point.

## Keys
"""
CATALOGUES = """\
# Pages about pieces

This page shows how to give a game pages about its pieces.
The deck pages of a game show its pieces as they are printed.
A catalogue, in `catalogues.yaml`, is a page that describes them: a bestiary, an armoury, a cast.
It names the deck, how to group its pieces, and what to do with each column:

```yaml
catalogues:
  - id: bestiary
    title: Bestiary
    question: What am I up against?
    answer: Every beast, and what it does.
    text: All beasts, by where they live.
    deck: beasts
    by: [den]
    cells: [health]
    lines: {heads: [Attack, Range, Wounds on], rows: [[attack, range, wounds], [attack-2, range-2, wounds-2]]}
    sign: {wounds: "+", wounds-2: "+"}
    texts: [{column: tale, quiet: yes}]
    lists: {powers: {list: powers, text: text, rule: rule}}
    behaviour: yes
    expected: yes
```

- `question` and `answer` appear on the overview of the game, `title` in its navigation.
- `by` names one or two columns; `only` keeps pieces with certain values in a column.
- `cells` appear in a line with their labels, `lines` in a small table, `texts` as sentences, `quiet` ones as flavour.
- `table` compares the pieces in a group: those that have all of its columns, or all but one.
- `lists` shows the rows of a list in game.yaml that a piece names, such as powers, with their texts and rules.
- `pieces` links to the pieces that a piece names, and `named-by` to those that name it, if a catalogue shows them.
- `under` shows pieces from any deck, such as skills, with those they belong to; `by` and `levels` make it a tree.
- `met` lists the scenarios in which something represents a piece, in the pool or set aside.

The game's engine can add more each time the site is built.
With `behaviour`, a page describes how the engine plays each piece, with the rules behind it.
With `expected`, it shows numbers that the engine has computed, such as how much damage an attack does on average.
Both are functions that an engine may have: see [What an engine is](rules-of-your-own.md#what-an-engine-is).

A deck, column, list, row, piece or level that does not exist is reported as a problem on the line that names it.
A page that would be too large continues on the next; the pieces in a group stay together.

## Keys
"""
SCENARIOS = """\
# Maps and scenarios

This page shows how to make a game with maps, scenarios and a story.
All of it is text in the game's folder: `maps/NAME.txt`, `scenarios/NAME.yaml` and `story.yaml`.

## A map

A map is text that looks like the map.
This is a complete one, `maps/cellar.txt`:

```text
map: The Cellar
track: 8 spaces, S1 on 3 and 6
legend: T a table of cards
       a   b   c   d   e   f
     +---.---+---.---+---.---+
   1 |  . G .   .D  .   .   #|
     .   .   .   .~~~.   .   .
   2 |  .   :   ~   ~ T .   .>
     +   .---+DDD.---+   .   +
   3 |  .   .   .   .d  . L :|
     .   .   .   .   .   .   .
   4 |  .   : S1.   .|  .   .|
     +---.---+---.---+---.---+
```

- A square is three characters: two for a mark (a capital letter, perhaps with a digit), and one for the terrain.
- Terrain is `.` floor, `#` blocking, `:` hindering, `~` water, and a blank for anything off the map.
- Edges are between squares, one character if vertical and three if horizontal: `|` and `---` are walls.
- `D` is a closed door, `d` an open one, `:` hindering, `~` water; `<`, `>`, `^` and `v` are exits.
- Corners are `+` where big squares of two by two meet, and `.` elsewhere, so that you notice a line that has shifted.
- `track` gives the length of the round track and the letters on it; `legend` explains a letter for this map only.
- `floor: cobbles, crates, barrels` says how the map looks when it is drawn: its floor, what blocks, and what hinders.
- `room: a1 boards, bar, stools` says the same for the room around a square; a room ends at walls and doors.
- `name: a1-c1 The card room` letters a name on the ground, on squares in one row or one column.
- `decor: b2-c3 rug` decorates the ground. Like names, decoration does not matter in play.

`templates/faces/base/map.svg.j2` draws a map, or part of one, on squares of 25 mm.
A template that extends it sets `map` (one of `maps`), `first`, `columns`, `left`, `top` and colours.
It draws the floors `boards`, `planks`, `parquet`, `tiles`, `carpet`, `cobbles`, `plates` and `grass`.
It draws blocking terrain as `bar`, `table`, `stove`, `crates`, `boiler`, `paddle` and `tree`.
It draws hindering terrain as `stools`, `chairs`, `barrels`, `sacks`, `plants`, `ropes` and `crates`.
It decorates the ground with `rug`, `path`, `rails`, `grate`, `chalk`, `paws`, `bones` and `leaves`.
Any other word is a problem, and the message lists these.
In the block `words`, `{{ names() }}` letters the names of the map.
If a sheet cuts a name, the part with most of its squares has it.
The site shows a map of up to 800 squares as one picture, and explains its letters, shapes and round track beside it.
`base/whole-map.svg.j2` draws it, unless the game has its own template `whole-map.svg.j2`.
For paper, `base/plan.svg.j2` draws a position on part of a map, unless the game has its own template `plan.svg.j2`.
That may extend the shared one and set `heads`, so that figures show their heads.

game.yaml explains the letters used on all maps under `maps`, each with its rule.
`grimalkin check` reports every fault with its line and column: characters without a meaning, an open outline, a door
with nothing to separate, a letter that no rule explains, a start that is too small, squares that nobody can reach.
`grimalkin fmt` corrects blanks, letters and numbers.
`grimalkin export uvtt` exports maps to virtual tables, with walls and doors.

## Pictures of positions

Every example that takes place on a map has a picture of it, if the game's engine has `picture(…)`.
[What an engine is](rules-of-your-own.md#what-an-engine-is) lists that function.
The picture shows who is where, what lies there and which doors are open, cropped to the squares around them.
A second picture shows the position after the last step.
You can ask for more in the picture, which the engine computes each time the site is built:

```yaml
  - id: NO-EX-1
    given: {…}
    picture: {lines: [[patch, pistoleer-1]]}
```

With `after`, you ask for more in the second picture, as in `picture: {sight: patch, after: {sight: patch}}`.
With `hide: yes` there is no picture.
A name that nobody on the map has, or a square that does not exist, is reported as a problem on its line.

{wishes}

A playthrough shows a picture for every step that changes the map; you write nothing for it.
A figure that has moved has a line from where it was.
The line goes from square to square if the engine's events name them: a figure, where it `stood`, where it is `at`.
An event that renames a figure gives the old name as `was`.
If an event describes a decision, the page shows it as the reason for what followed.
Its facts are `before`, how many could be chosen, `after`, how many are left, and `left`, who or what they are.

An album, in `albums.yaml`, is a page of pictures of maps without figures, one for each square you name:

```yaml
albums:
  - id: range
    title: How far that is
    text: What Range 1, 4 and 8 cover.
    picture: {range: [here, 1, 4, 8]}
    squares:
      - {map: cellar, square: c3}
```

Below each picture, the page shows the square's `text` and the rules that decided it: `rules` of the engine's picture.
Without a `text`, the page shows numbers: how many squares are seen, and how many of them are hindered.

## The page of a scenario

Grimalkin makes a page for every scenario automatically.
It shows the introduction, the map, the set-up, objectives and special rules.
It lists what appears at each space of the round track, and what to print.
Everything that comes later is folded away: the exit, what to do before the next scenario, and each entry that may be
read.
These parts are printed only while they are open, and the search does not find them.

An engine with `set_up(facts, scenario)` sets up the scenario for its page.
The page then has a picture of the table, and the seal *checked*.
Beside it is a list of what to take and where it goes, each with its rule.
The entries are those that the scenario's sentences say to read.
Without `set_up`, the list is made from the scenario and its map, and `entries` says what may be read.

In a clause, `rules` names what to read with it: `{text: Each hero leaves the map., rules: [TI-MAP-4]}`.
The page links to these rules, and to the rulings about them.
It also links to a section of rules that has the id of the scenario.

## The story of a campaign

If a game's engine has [campaigns](campaigns.md), you can tell the story of one in `campaigns/NAME.yaml`, from its first
chapter on.
It has episodes: the party plays a chapter (`play`), makes a Safehaven (`safehaven`), or returns to one (`restore`).

```yaml
episodes:
  - play: cellar
    say: They came through the cellar, and found a candle.
    rules: [TI-WIN-1]
    record:
      - draw: {poker: 5-of-hearts}
      - Ada: go b2 b3; end
  - safehaven: The attic
    say: After that they needed a bed.
    rules: [TI-SAFE-1]
    kept: {heroes: {tom: {lives: 3}}}
```

A record has the form of a [campaign's file](campaigns.md): answers and draws.
`grimalkin check` replays all of it.
A Safehaven's state must follow from the answers, and each rule that an episode names must be applied in it.
An episode that is correct counts as an example of these rules, and appears on the page of the game's campaigns.
`refused` names the rule that refuses a Safehaven at this point.

## Keys
"""
PHRASES = """\
# Sentences that a game reads

This page lists the sentences that cards in The Cats of New Orleans can use.
In that game, a card's sentence is its data.
The engine reads what a skill, a loot card, an event, a power, a flaw or a weapon does from the words printed on it.
Write a card in the game's tables with these words, and `grimalkin check` reads it.
If it cannot, it reports the word where it stopped, and what could be there instead.

- Each ability is on its own line in the cell.
- It begins with its gates: when (`When you Pounce, …`), at what price (`Exhaust: …`), or both.
- It ends with its limits: `Once per round.`
- Words in *italics* stand for another phrase from this page.
- *(offered)* marks an example that no card has yet.
- *number* is a number, and *signed* is one with its sign, such as −2.
- Text that could be read in two ways is a problem, and so is one that would be printed in different words.
- If no phrase can say something, the column `code` next to it names a hook in the game's code.

Your own engine can have such a table too, a list of kinds with their forms: `grimalkin.engine.phrases`.
For another language, write another table with the same names.
"""

SAMPLE = """\
{small-caps|The Owl of the Quay} {small|(since {oldstyle-nums|1897})}

**Discard two** :paw: or be {danger|seen :moon:}, on this {if cards|card}{if pages|page}:

- whatever lies *below* her, however far that may be for an owl
- {nowrap|one of these}:
  1. a mouse
  2. {if low|a pale}{if not low|{danger|a red}} herring

{loud|Then hunt!}"""
SAMPLE_STYLES = """\
styles:
  danger: {fill: blood, bold: yes}
  loud: {size: 1.8, fill: "#22304a"}
"""

ORDER = (
    *("game", "rules", "rulings", "errata", "terms", "examples", "playthrough", "simulations", "catalogues", "quick"),
    *("search", "told-campaign", "scenario", "story", "learn"),
)
"""The order of files that designers read about; those of other parts follow."""
MODEL_WORDS = {
    "SetUp": "The set-up",
    "Checked": "A checked position",
    "Label": "A label",
    "FirstPiece": "A piece explained to newcomers",
    "ToldRound": "The story of a round",
    "Moment": "A few moves",
    "Span": "A range of numbers",
    "Credit": "A credit",
    "Style": "A style",
    "Deck": "A deck",
    "Faces": "The faces of a deck",
    "Column": "A column of a deck's own",
    "Component": "A row of a deck's table",
    "Listing": "A list of things that are not pieces",
    "Maps": "The letters on maps",
    "Mark": "A letter on maps",
    "Clause": "A clause of a scenario",
    "Apart": "Pieces set aside in a scenario",
    "Entry": "An entry of the story",
    "Lines": "A small table",
    "Sentences": "A column shown as text",
    "Named": "A list that a column names",
    "NamedBy": "Pieces that name others",
    "Met": "Pieces that represent others",
    "Under": "Pieces that belong to others",
    "Level": "A level of a tree",
    "Glance": "A heading with its contents",
    "QuickLine": "A line with its rules",
    "QuickTable": "A table to look up",
    "QuickRows": "Rows of pieces",
    "Section": "A section of rules",
    "Rule": "A rule",
    "Ruling": "A ruling",
    "Erratum": "An erratum",
    "Term": "A term",
    "Example": "An example",
    "Stock": "A stock",
    "Paper": "A paper",
    "Tab": "The tab of a divider",
    "Shop": "A print shop",
    "Names": "The names of a shop's files",
    "Product": "A product of a shop",
    "Sides": "A bleed that differs from side to side",
    "LabelSheet": "A sheet of labels",
    "Page": "The page in a template",
    "Cut": "The piece in a template",
    "Marks": "Registration marks",
    "Area": "An area of the page",
}
"""Headings for the parts of content files."""


def pages(command_line: argparse.ArgumentParser) -> dict[str, str]:
    """Return every generated page and picture of the guide, by its path below site/docs."""
    stocks = load_stocks(None, Problems())
    made = {
        "guide/reference.md": reference(),
        "guide/templates.md": templates(),
        "guide/commands.md": _commands(command_line, False),
        "guide/engine-commands.md": _commands(command_line, True),
        "guide/gallery.md": gallery(stocks),
        "guide/phrases.md": phrases(),
        "guide/catalogues.md": catalogues(),
        "guide/quick-reference.md": quick_reference(),
        "guide/learning.md": learning(),
        "guide/scenarios.md": scenarios(),
    }
    made.update({f"pictures/stocks/{name}.svg": stock_picture(stock) for name, stock in sorted(stocks.items())})
    made["pictures/texts/sample.svg"] = sample_picture()
    made["pictures/texts/qr.svg"] = qr_picture()
    made["pictures/texts/draft.svg"] = draft_picture()
    made["pictures/boxes/tuck-box.svg"] = box_picture()
    made.update({f"pictures/marks/{name}.svg": marks_picture(name, stocks) for name in mark_styles()})
    return made


def missing(command_line: argparse.ArgumentParser) -> list[str]:
    """Return what has no words yet. An entry reads "function fail", "attribute cx", "key note of A deck"."""
    lists = {
        "variable": (template_variables(), VARIABLES),
        "function": (template_functions(), FUNCTIONS),
        "attribute": (frozenset().union(*ELEMENTS.values()), ATTRIBUTES),
        "style of marks": (mark_styles(), MARK_WORDS),
    }
    lacking = [
        f"{kind} {name}" for kind, (names, words) in lists.items() for name in sorted(names) if name not in words
    ]
    for heading, model in _models():
        for key, field in _fields(model):
            if not field.description:
                lacking.append(f"key {key} of {heading}")
    for name, command in commands(command_line).items():
        for action in command._actions:
            if not action.help and not isinstance(action, argparse._SubParsersAction):
                lacking.append(f"{action.dest} of {name}")
    return lacking


def template_variables() -> set[str]:
    """Return the names that every template knows, from a game composed for the purpose."""
    from grimalkin.content import load_game
    from grimalkin.printing.face import Composer

    names: set[str] = set()

    class Noting(Sandbox):
        def render(self, name: str, context: dict[str, Any]) -> str:
            names.update(context)
            return super().render(name, context)

    problems = Problems()
    folder = data_folder("templates") / "new-game"
    game = load_game(folder, problems)
    assert game is not None, list(problems)
    composer = Composer(game, load_stocks(folder, problems), problems)
    composer.sandbox = composer.new_sandbox(Noting)
    deck = game.info.decks[0]
    composer.faces(deck, game.components[deck.id][0])
    return names


def template_functions() -> set[str]:
    return {"icon", "fail", *Sandbox([], autoescape=True).globals}


# The reference


def reference() -> str:
    """Return every key of a designer's files, as Markdown."""
    parts = [
        "# Reference\n",
        "This page lists every key of content files, stocks, papers and print shops.\n"
        "For templates and the marks in texts, see [Templates and texts](templates.md); for the command line, see "
        "[Commands](commands.md).\n"
        "To begin, read [A game of your own in ten minutes](your-own-game.md); "
        "for sizes with pictures, see the [gallery of stocks and marks](gallery.md).\n",
        *_files(),
        *_stocks_and_papers(),
    ]
    return "\n".join(parts)


def templates() -> str:
    """Return everything that templates and texts may say, as Markdown."""
    parts = [
        "# Templates and texts\n",
        "This page lists everything that templates may draw, and the marks that any text may contain.\n"
        "The keys of content files are in the [reference](reference.md).\n",
        *_templates(),
        _texts(),
    ]
    return "\n".join(parts)


def catalogues() -> str:
    """Return the guide's page on pages about pieces."""
    told = (f"### {heading}\n\n" + _keys(model) for heading, model in _models() if model in OF_CATALOGUES)
    return "\n".join([CATALOGUES, *told])


def quick_reference() -> str:
    """Return the guide's page on quick references, with all keys of quick.yaml."""
    told = (f"### {heading}\n\n" + _keys(model) for heading, model in _models() if model in OF_QUICK)
    return "\n".join([QUICK, *told])


def learning() -> str:
    """Return the guide's page on the page for newcomers."""
    told = (f"### {heading}\n\n" + _keys(model) for heading, model in _models() if model in OF_LEARNING)
    return "\n".join([LEARNING, *told])


def scenarios() -> str:
    """Return the guide's page on maps, scenarios and stories: how to draw a map, and all keys of their files."""
    told = (f"### {heading}\n\n" + _keys(model) for heading, model in _models() if model in OF_SCENARIOS)
    said = ((key, shape.schema()["description"]) for key, shape in WISHES.known.items())
    keys = [(f"`{key}`", _said(words[:1].lower() + words[1:].rstrip("."))) for key, words in said]
    return "\n".join([SCENARIOS.replace("{wishes}", _table(("Key", "What it draws"), keys).rstrip()), *told])


def phrases() -> str:
    """Return the guide's page on the sentences of The Cats of New Orleans: every form, with a sentence that has it."""
    game = load_game(data_folder("content") / "cats-of-new-orleans", Problems())
    assert game is not None
    shown: dict[tuple[str, str, str], str] = {}
    for _, text in every_text(game.facts):
        for line in text.split("\n"):
            for kind, form in TABLE.uses(TABLE.read(line, names_of(game.facts))):
                shown.setdefault((kind, form.name, form.pattern), line)
    parts = [PHRASES]
    for kind in TABLE.kinds.values():
        if isinstance(kind.forms, Series):
            continue
        rows = []
        for form in kind.forms:
            text = shown.get((kind.name, form.name, form.pattern))
            said = _said(text) if text else f"{_said(form.example)} *(offered)*"
            rows.append((_pattern(form.pattern), said.replace("\n", " ")))
        parts.append(f"## {_capital(kind.title)}\n\n" + _table(("in words", "for example"), rows))
    return "\n".join(parts)


def _pattern(pattern: str) -> str:
    """Return a pattern as people read it: slots in italics and apart, both words of what goes with a number."""
    apart = re.sub(r"\}(?=[\w{])|(?<=\w)(?=\{)", lambda end: f"{end[0]} ", pattern.replace("|", "/"))
    slots = re.sub(r"\{\^?(?:[a-z-]+:)?([a-z-]+)(?: [a-z-]+)?\}", r"*\1*", apart)
    return re.sub(r"<([^<>/]*)/([^<>/]*)>", r"(\1/\2)", slots).strip() or "(nothing)"


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]


def _templates() -> Iterator[str]:
    yield (
        "## Templates\n\n"
        "A face template is an SVG document with [Jinja](https://jinja.palletsprojects.com/) in it.\n"
        "It is in millimetres from the top left corner of the cut.\n"
        "It is the file `faces/NAME.svg.j2` in the game's folder, and `game.yaml` names it.\n"
        f"Rendering a face may take up to {MOST_TURNS:,} loop iterations and write up to {MOST_CHARACTERS:,} "
        "characters.\n"
        "A template has only plain values: texts, numbers, lists, and mappings such as `card`. `card.name` is an item, "
        "and methods are called immediately: `card.name.upper()`.\n"
        'A list is not text: join its items, as in `names|join(", ")`.\n'
    )
    yield "### Variables\n\n" + _table(("Name", "What it is"), _rows(VARIABLES))
    yield "### Functions\n\n" + _table(("Name", "What it does"), _rows(FUNCTIONS))
    yield "### Filters\n\n" + _table(("Name", "Result"), _rows(FILTERS))
    yield (
        '### Blocks\n\nA template that begins with `{% extends "base/face.svg.j2" %}` fills these blocks, painted '
        "in this order.\n\n" + _table(("Block", "Contents"), _rows(BLOCKS))
    )
    yield (
        "### Text boxes\n\n"
        "`<textbox>` is not SVG: its text is wrapped and fitted.\n"
        "If it does not fit, first the lines move closer together, then the type shrinks to the floor, and then the "
        "build stops with the card's name.\n"
        "Lengths are in millimetres, sizes in points.\n\n"
        + _table(("Attribute", "Meaning"), _rows(dict(sorted(TEXTBOX.items()))))
        + "\nIts text may contain the [marks of all texts](#marks-in-texts).\n"
        "Tabs count as spaces, and other Unicode spaces have their own widths.\n"
        "A line is as tall as its largest word, and the lines of a list are aligned with each other, whatever the "
        "alignment of the text.\n"
        "The sizes apply to words without a style: words in the style `small` may be smaller than the floor.\n"
    )
    yield (
        "### Lines\n\n"
        "Lines end at spaces and, if need be, inside words: at a soft hyphen (U+00AD) or a zero-width space (U+200B), "
        "after a dash between words, after a hyphen or slash between two words of at least two letters, and between "
        "Chinese and Japanese characters.\n"
        "So `well-known` and `and/or` may be broken, but not `e-mail`, `-1`, `3–4` or `km/h`.\n"
        "A word is broken at a hyphen only if its line would be too short otherwise, or if that saves a line; at most "
        "two lines in a row may end like this, and the last word of a paragraph stays whole.\n\n"
        "No line ends at a no-break space (U+00A0, U+202F), at a no-break hyphen (U+2011) or next to a word joiner "
        "(U+2060), and an icon stays with its neighbours.\n"
        "No line begins with a dash or a punctuation mark between spaces, as in `quoi ?`.\n\n"
        '`hyphenate="en"` breaks words between syllables, '
        "using pyphen's dictionaries.\n"
        "It breaks no Dutch word before a letter with a diaeresis, which would be lost there; in Polish, Portuguese "
        "and some other languages a compound that is broken at its hyphen repeats it on the next line.\n"
        f"The first {LEAST_BEFORE} letters stay together, and so do the last {LEAST_AFTER}; capitals, compounds and "
        "words with digits stay whole, and a word with soft hyphens is broken only there.\n"
        "`en` is British, `en-US` American.\n\n"
        '`align="justify"` widens the spaces of a line to fill it, each by at most half the type size.\n'
        "A line that would need more stays as it is, and so does the last line of a paragraph.\n\n"
        "If a centred paragraph would end in a single word, or in a line shorter than a fifth of the box, its lines "
        "are balanced to about the same width, without more lines or smaller type.\n"
        "Lines that are set left or justified become narrower only until the last one fills a fifth of the box.\n"
        '`wrap="balance"` balances the lines in any case, for titles.\n\n'
        "Text that begins with a letter from a right-to-left script runs from right to left, and is aligned right "
        "unless `align` is set; left-to-right words in it keep their direction.\n"
        'This needs `pip install "grimalkin[rtl]"`.\n'
    )
    yield (
        "### Fields of a form\n\n"
        "`<field>` is a place to fill in, and does not print.\n"
        "A piece with fields on its front also comes as a PDF to fill in on screen, in addition to the sheets.\n"
        "Put fields directly in the outermost `<svg>`; the tab key visits them, and screen readers read them, in the "
        "order of the template.\n"
        "Lengths are in millimetres, sizes in points.\n\n"
        + _table(("Attribute", "Meaning"), _rows(dict(sorted(FIELD.items()))))
        + "\nIn a name, a whole number is an item of a list, counting from 1: `seats.1.months.2.3`.\n"
        "A list whose items have a field `name` is a table with those names as keys, and rows in which nothing is "
        "written are left out.\n"
        "An empty field between filled-in fields of a list counts as 0.\n"
        "In the record, a sum stands for the fields that it adds up; if both are written, they must agree.\n"
        "Names that begin with `notes.` are for players only; a sum among them is a running total, which must also "
        "agree, and may be the only thing written.\n\n"
        "```xml\n"
        '<field name="seats.1.name" x="6" y="40" width="30" height="6" say="row 1, name"/>\n'
        '<field name="seats.1.jokers" kind="number" x="40" y="40" width="8" height="6" say="row 1, silver bullets"/>\n'
        "```\n"
    )
    yield (
        "### QR codes\n\n"
        "`<qr>` is not SVG either: it becomes a QR code, drawn as one path of whole rectangles; screen readers say "
        "“QR code” and its text.\n\n"
        + _table(("Attribute", "Meaning"), _rows(dict(sorted(QR.items()))))
        + "\nA module is at least "
        f"{LEAST_MODULE:g} mm wide, which is four dots of a 300 dpi printer. An address of 25 characters takes 25 "
        f"modules and its quiet zone 8, so its code is at least {LEAST_MODULE * 33:.1f} mm wide.\n"
        "A code that is too small, too pale, empty, or too long for the largest size stops the printing.\n"
        "With low and mono inks, the code is black on white.\n"
        "Digits take the least room, then capitals with digits, spaces and `$%*+-./:`, then lower-case letters; "
        "letters beyond ASCII are encoded in UTF-8 and take the most.\n\n"
        f"```xml\n{QR_SAMPLE}\n```\n\n"
        '<img src="../pictures/texts/qr.svg" width="120" alt="A QR code in the middle of a small square piece">\n'
    )
    rows = [
        (f"`<{name}>`", _said(ELEMENT_WORDS[name]), " ".join(f"`{a}`" for a in sorted(attributes)) or "none")
        for name, attributes in ELEMENTS.items()
    ]
    yield (
        "### Elements of SVG\n\n"
        "Place pictures, and drawings saved by any program, with `<image>`; you may also paste a drawing "
        "with its `<svg>`: see [Art of your own](art.md).\n"
        "Everywhere else, colours are `#rrggbb`, `none`, or [inks of a print shop]"
        "(print-shops.md#colours-of-your-own).\n"
        "There are no filters and no styles: these elements print the same everywhere.\n"
        "A `<clipPath>` may contain only shapes. Numbers may be at most 100,000.\n"
        "Anything else is a problem, never skipped.\n\n"
        "Gradients, patterns and masks use the face's millimetres; that is what `userSpaceOnUse` means.\n"
        "A group with an opacity or a mask is drawn as a whole first, and screen readers read all its text as one.\n\n"
        f"```xml\n{PAINTED}\n```\n\n" + _table(("Element", "What it is", "Attributes"), rows)
    )
    yield "### Attributes of SVG\n\n" + _table(("Attribute", "Meaning"), _rows(dict(sorted(ATTRIBUTES.items()))))
    icons = sorted(path.stem for path in (data_folder("templates") / "icons").glob("*.svg"))
    yield (
        "### Icons\n\n"
        f"Ready to use: {_list(icons)}.\n"
        "`icons/NAME.svg` in the game's folder adds one, preferably on a grid of 24 × 24; shapes without a fill take "
        "the colour that the icon is used with.\n"
        "A file from a drawing program works, too: see [Art of your own](art.md#icons) for its own colours.\n"
    )
    yield (
        "### Fonts\n\n"
        f"{_list(sorted(font_families()))}; if the family has them, also `…Light`, `…Semibold`, `…Bold`, `…Black`, and "
        "`…It` for italics.\n"
        "Any other font package from PyPI with a `fonts_ttf` entry point works once it is installed, "
        "if the licence of its fonts allows embedding.\n"
        "Put your own fonts in the game's folder `fonts`: see [Fonts of your own](your-own-game.md#fonts-of-your-own) "
        "for their names, fallback fonts and licences.\n"
    )


def _texts() -> str:
    rows = ((_as_code(written), _said(words)) for written, words in MARKS.items())
    return (
        "## Marks in texts\n\n"
        "The marks are the same in a cell, a rule, a note and a template, for cards, pages and books.\n"
        "Names, titles and labels may not have marks in braces, because they also appear in menus and bookmarks.\n"
        "In a table, only columns of the type `text` may have marks.\n\n"
        + _table(("Written", "Result"), rows)
        + "\nA mark without a matching style, icon or component is a problem, and so is one that is never closed; "
        "hidden words are checked, too.\n\n"
        "Type straight apostrophes: faces, covers, books and pages print typographic ones. After a digit (6'), in code "
        "and after a backslash (`\\'`) they stay straight, as they do in a font that has no others.\n\n"
        "### Styles\n\n"
        "Every game has these; the OpenType features need a font that has them.\n\n"
        + _table(("Name", "Effect"), _rows(STYLE_WORDS))
        + f"\nA game declares [its own](reference.md#{_anchor(MODEL_WORDS['Style'])}) in game.yaml:\n\n"
        f"```yaml\n{SAMPLE_STYLES}```\n\n"
        "Their colours print only with full inks; with low and mono inks such words have the colour of the surrounding "
        "text, so also make them bold or larger.\n"
        "On pages, colours are moved towards black or white as far as small text needs, in light and dark mode.\n\n"
        f"With these styles a text box turns\n\n```text\n{SAMPLE}\n```\n\ninto\n\n"
        '<img src="../pictures/texts/sample.svg" alt="Text with small capitals, icons, coloured words, a list in a '
        'list and a large last line">\n'
    )


def _as_code(text: str) -> str:
    """Return code for a cell of a table, whatever it contains."""
    shown = "".join(f"&#{ord(sign)};" if sign in "|{}[]*_`\\\\:" else escape(sign) for sign in text)
    return f"<code>{shown.replace(chr(10), '<br>').replace('  ', '&nbsp; ')}</code>"


def sample_picture() -> str:
    """Return what a text box makes of the sample, as SVG."""
    box = '<textbox x="4" y="3" width="66" height="54" size="11">{{ card.text }}</textbox>'
    return _drawn(box, Stock(name="Sample", shape="rectangle", width=74, height=60, corner=2, bleed=0, safe=0))


QR_SAMPLE = '<qr x="3" y="3" width="14" data="https://example.org/otter"/>'


def qr_picture() -> str:
    """Draw the QR code of the guide."""
    return _drawn(QR_SAMPLE, Stock(name="Sample", shape="rectangle", width=20, height=20, corner=2, bleed=0, safe=0))


def draft_picture() -> str:
    """Draw a card of a draft with a fault of each kind."""
    drawn = """\
<textbox x="4" y="4" width="55" height="9" size="14">The Otter</textbox>
<image href="art/otter.png" x="4" y="14" width="55" height="36"/>
<textbox x="4" y="54" width="55" height="10" size="8">When you reveal this card, each other player passes a fish to \
the left; whoever has none draws a card, and may swim to the next pool. Discard the otter if you hold more fish than \
anybody else, and take the top card of the river. Then the pool is closed, until somebody opens it again.</textbox>
<use href="#icon-fish" x="4" y="70" width="10" height="10" fill="#1d1a26"/>
<text x="18" y="78" font-family="SourceSansPro" font-size="7" fill="#1d1a26">{{ decks.cards[0].vigour }}</text>"""
    return _drawn(drawn, Stock(name="Sample", shape="rectangle", width=63, height=88, corner=3, bleed=0, safe=0), True)


def _drawn(drawn: str, stock: Stock, draft: bool = False) -> str:
    """Render an element of a template as SVG."""
    from games_for_tests import FILES, write_game

    faces = '{% extends "base/face.svg.j2" %}{% block words %}' + drawn + "{% endblock %}"
    info = FILES["game.yaml"].replace('red: "#aa0000"', 'blood: "#9c1f2b"') + SAMPLE_STYLES
    problems = Problems()
    with TemporaryDirectory() as folder:
        game = load_game(write_game(Path(folder) / "sample", game_yaml=info, faces__plain_svg_j2=faces), problems)
        assert game and not problems, list(problems)
        composer = Composer(game, {}, problems, draft=draft)
        face = composer.compose("plain", "sample-front", "Sample", None, stock, {"text": SAMPLE})
    assert face and not problems, list(problems)
    return standalone_svg(face)


def font_families() -> set[str]:
    """Return the families of the fonts that come with Grimalkin: their names without weight and slant."""
    ours = {re.split(r"[^\w-]", wanted)[0] for wanted in requires("grimalkin") or ()}
    packages = (entry for entry in entry_points(group="fonts_ttf") if entry.dist and entry.dist.name in ours)
    names = (name for package in packages for name in package.load())
    return {re.sub(r"(ExtraLight|Light|Semibold|Bold|Black)?(It)?$", "", name) for name in names}


def _files() -> Iterator[str]:
    yield (
        "## Content files\n\n"
        "Files are YAML or tables; every value is read as text, so `no` and `4:30` stay as they are.\n"
        "An unknown key is a problem.\n"
        "Any text may contain [marks](templates.md#marks-in-texts); a reference to something that does not exist stops "
        "the build.\n"
        "`grimalkin schema` writes JSON Schemas, which let an editor complete and check these files.\n\n"
        "Two words have a special meaning here. An example *proves* a rule if the engine plays it and everything the "
        "example expects comes true. A *draft* is a game that is still unfinished: it may have rules that no example "
        "proves.\n"
    )
    for heading, model in _models():
        if model not in (Stock, Paper, LabelSheet, Shop, Names, Product, Sides, *PAGES_OF_THEIR_OWN):
            yield f"### {heading}\n\n" + _keys(model)


def _models() -> Iterator[tuple[str, type[Model]]]:
    """Yield every model that a designer can write, files first, each followed by its parts."""
    told: set[type[Model]] = set()

    def walk(heading: str, model: type[Model]) -> Iterator[tuple[str, type[Model]]]:
        if model in told:
            return
        told.add(model)
        yield heading, model
        for _, field in _fields(model):
            for part in _parts(field.annotation):
                yield from walk(_heading(part), part)

    places = {
        "examples": "examples/\\*.yaml",
        "playthrough": "playthroughs/\\*.yaml",
        "scenario": "scenarios/\\*.yaml",
        "told-campaign": "campaigns/\\*.yaml",
    }
    files = every_file()
    for name in sorted(files, key=lambda name: ORDER.index(name) if name in ORDER else len(ORDER)):
        model = files[name]
        yield from walk(places.get(name, f"{name}.yaml"), model)
        if name == "game":
            yield from walk(_heading(Component), Component)
    yield from walk("cutters/\\*.yaml", CutterTemplate)
    yield from walk(_heading(Stock), Stock)
    yield from walk(_heading(Paper), Paper)
    yield from walk(_heading(LabelSheet), LabelSheet)
    yield from walk(_heading(Shop), Shop)


def _heading(model: type[Model]) -> str:
    return MODEL_WORDS.get(model.__name__, re.sub(r"(?<!^)(?=[A-Z])", " ", model.__name__).capitalize())


def _fields(model: type[Model]) -> list[tuple[str, Any]]:
    return [(field.alias or name, field) for name, field in model.model_fields.items()]


def _parts(annotation: Any) -> Iterator[type[Model]]:
    if isinstance(annotation, type) and issubclass(annotation, Model):
        yield annotation
    for inner in get_args(annotation):
        yield from _parts(inner)


def _keys(model: type[Model]) -> str:
    rows = []
    for key, field in _fields(model):
        words = field.description
        words = (words if words[1:2].isupper() else words[:1].lower() + words[1:]).rstrip(".")
        default = field.default
        if field.is_required():
            needed = "yes"
        elif default is None or default in ((), {}, "") or isinstance(default, Model) or field.default_factory:
            needed = "no"
        else:
            needed = f"no; default {_said(_written(default))}"
        rows.append((f"`{key}`", _type_words(field.annotation, field), _said(words), needed))
    return _table(("Key", "Type", "What it means", "Required"), rows)


def _written(value: object) -> str:
    if isinstance(value, tuple):
        return ", ".join(map(_written, value))
    return (
        "no" if value is False else "yes" if value is True else f"{value:g}" if isinstance(value, float) else f"{value}"
    )


def _type_words(kind: Any, field: Any = None) -> str:
    """Return a type in the words of a designer."""
    origin, inner = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return _type_words(inner[0])
    if origin in (Union, types.UnionType):
        return _type_words(next(one for one in inner if one is not type(None)))
    if origin is Literal:
        return " ".join(f"`{word}`" for word in inner)
    if origin is tuple:
        return "list of " + _type_words(inner[0])
    if origin is dict:
        return "mapping" if inner[1] is Any else f"mapping to {_type_words(inner[1])}"
    if isinstance(kind, type) and issubclass(kind, Model):
        heading = _heading(kind)
        page = PAGES_OF_THEIR_OWN.get(kind, "")
        return f"[{heading[:1].lower() + heading[1:]}]({page}#{_anchor(heading)})"
    return {str: "text", int: "whole number", float: "number", date: "date", bool: "yes or no"}.get(kind, "anything")


def _anchor(heading: str) -> str:
    """How mkdocs names a heading."""
    text = re.sub(r"[^\w\s-]", "", heading.replace("…", "")).strip().lower()
    return re.sub(r"[-\s]+", "-", text)


def _stocks_and_papers() -> Iterator[str]:
    stocks, papers = load_stocks(None, Problems()), load_papers(None, Problems())
    yield (
        "## Stocks, papers and shops\n\n"
        "A stock is the size and shape of a piece, and a paper is what it is printed on; the [gallery](gallery.md) "
        "shows "
        "all stocks.\n"
        "A print shop is where you [order pieces](exporting.md#a-print-shop).\n"
        "To add your own, put them in `stocks/NAME.yaml`, `papers/NAME.yaml` and `shops/NAME.yaml` in the game's "
        "folder, and sheets of [labels](printing.md#labels) in `labels/NAME.yaml`.\n"
        "All lengths are in millimetres; those of shops may also have a unit: `3 mm`, `0.125 in`.\n"
    )
    yield f"### {_heading(Stock)}\n\n" + _keys(Stock)
    yield f"### {_heading(Paper)}\n\n" + _keys(Paper)
    for model in (Shop, Names, Product, Sides):
        yield f"### {_heading(model)}\n\n" + _keys(model)
    yield "### Stocks that come with Grimalkin\n\n" + _stock_table(stocks.items())
    rows = [
        (
            f"`{name}`",
            *map(_said, (paper.name, f"{paper.width:g} × {paper.height:g}", paper.said_margin, paper.source or "")),
        )
        for name, paper in sorted(papers.items())
    ]
    yield f"### {_heading(LabelSheet)}\n\n" + _keys(LabelSheet)
    yield "### Papers that come with Grimalkin\n\n" + _table(("Name", "What it is", "Size", "Margin", "Source"), rows)
    sheets = [
        (
            f"`{name}`",
            labels.name,
            labels.paper,
            f"{labels.width:g} × {labels.height:g}" if labels.shape == "rectangle" else f"{labels.width:g} across",
        )
        for name, labels in sorted(load_label_sheets(None, Problems()).items())
    ]
    yield "### Labels that come with Grimalkin\n\n" + _table(("Name", "What it is", "Paper", "Label"), sheets)


def shop_table(shops: Mapping[str, Shop]) -> str:
    """Return what the shops ask for, as Markdown."""
    rows = []
    for name, shop in sorted(shops.items()):
        sizes = f"{len(shop.products)}" if shop.products else f"any size of {' and '.join(shop.kinds)}"
        safe = f"{shop.safe:.4g}" if shop.safe is not None else ""
        colour = shop.colour.upper() + (f", {shop.ink_limit} %" if shop.ink_limit else "")
        pages = f"{shop.order or 'any'}" if "pdf" in shop.files else ""
        bleed = "/".join(f"{edge:.4g}" for edge in dict.fromkeys(sides(shop.bleed)))
        files = ", ".join(shop.files) + (" (PDF/X-1a)" if shop.pdfx else "")
        rows.append((f"`{name}`", _said(shop.name), sizes, bleed, safe, files, pages, colour, f"{shop.checked}"))
    head = ("Name", "Shop", "Products", "Bleed", "Safe", "Files", "Order of pages", "Colours", "Checked")
    return _table(head, rows)


def _stock_table(stocks: Iterable[tuple[str, Stock]]) -> str:
    rows = []
    for name, stock in _by_size(stocks):
        measures = (f"{stock.corner:g}", f"{stock.bleed:g}", f"{stock.safe:g}")
        rows.append((f"`{name}`", _said(stock.name), _cut_size(stock), *measures))
    return _table(("Name", "What it is", "Cut", "Corner", "Bleed", "Safe"), rows)


def _by_size(stocks: Iterable[tuple[str, Stock]]) -> list[tuple[str, Stock]]:
    return sorted(stocks, key=lambda item: (item[1].width * item[1].height, item[0]))


def _cut_size(stock: Stock) -> str:
    return f"{stock.width:g} across" if stock.shape == "circle" else f"{stock.width:g} × {stock.height:g}"


# The command line


def commands(command_line: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    """Return every command by its full name: "grimalkin", "grimalkin build"."""
    found: dict[str, argparse.ArgumentParser] = {}

    def walk(parser: argparse.ArgumentParser) -> None:
        found[parser.prog] = parser
        for action in parser._actions:
            if isinstance(action, argparse._SubParsersAction):
                for below in dict.fromkeys(action.choices.values()):
                    walk(below)

    walk(command_line)
    return found


PLAYED = ("score", "replay", "start", "why", "campaign", "test", "simulate", "odds")
"""Commands that play a game, which have a page of their own."""
COMMANDS_ABOVE = """\
# Commands

This page lists the commands that make or check something, with their options.
The exit code is 0 if all is well, 1 if the content has problems, and 2 if the command was not understood.
`--help` after any command prints what this page says about it.
Commands that play a game, such as `score` and `replay`, are on [a page of their own](engine-commands.md).
"""
PLAYED_ABOVE = """\
# Commands that play

These commands use the rules engine of a game.
For all other commands, see [Commands](commands.md).
"""


def _commands(command_line: argparse.ArgumentParser, played: bool) -> str:
    """Return a page of commands: those that play a game, or all others."""
    return "\n".join([PLAYED_ABOVE if played else COMMANDS_ABOVE, *_each_command(command_line, played)])


def _each_command(command_line: argparse.ArgumentParser, played: bool) -> Iterator[str]:
    for name, parser in commands(command_line).items():
        if (name.partition(" ")[2].partition(" ")[0] in PLAYED) != played:
            continue
        places = [
            action
            for action in parser._actions
            if not action.option_strings and not isinstance(action, argparse._SubParsersAction)
        ]
        options = [a for a in parser._actions if a.option_strings and not isinstance(a, argparse._HelpAction)]
        wanted = [_flag(action) for action in options if action.required]
        more = ["[options]"] if len(options) > len(wanted) else []
        shown = " ".join([name, *wanted, *more, *map(_argument, places)])
        text = [f"## {name}\n"]
        if parser.description:
            text.append(_said(parser.description.strip()) + "\n")
        text.append(f"```text\n{shown}\n```\n")
        rows = [(f"`{_argument(action)}`", _said(_help(action, parser))) for action in places]
        rows += [
            (f"`{', '.join(action.option_strings)}{_value(action)}`", _said(_help(action, parser)))
            for action in options
        ]
        if rows:
            text.append(_table(("Argument", "What it does"), rows))
        if parser.epilog:
            text.append(f"```text\n{parser.epilog.strip()}\n```\n")
        yield "\n".join(text)


def _argument(action: argparse.Action) -> str:
    name = action.metavar or (("{" + ",".join(map(str, action.choices)) + "}") if action.choices else action.dest)
    shown = " ".join(name) if isinstance(name, tuple) else str(name)
    return {"?": f"[{shown}]", "*": f"[{shown} …]", "+": f"{shown} …"}.get(str(action.nargs), shown)


def _flag(action: argparse.Action) -> str:
    return action.option_strings[-1] + _value(action)


def _value(action: argparse.Action) -> str:
    """Return the argument that follows an option."""
    return "" if action.nargs == 0 else " " + _argument(action)


def _help(action: argparse.Action, parser: argparse.ArgumentParser) -> str:
    known = {**vars(action), "prog": parser.prog}
    words = str(action.help) % known
    default = action.default
    said = "default" in words or default in (None, argparse.SUPPRESS, False, "", [], ())
    return (
        words
        if said or isinstance(action, argparse._StoreTrueAction | argparse._StoreFalseAction)
        else f"{words} (default: {default})"
    )


# The gallery

MARK_WORDS = {
    "corners": "two short lines beyond each corner, clear of the bleed if there is room, otherwise on it with a "
    "white edge; the usual choice",
    "crosses": "close to the corners, on the bleed, with a white edge",
    "ticks": "only at the edges of the whole block, for a paper cutter that cuts right across",
    "lines": "every cut drawn in full, for scissors",
    "dots": "where each corner begins, for a corner rounder",
    "none": "none, for a machine or a print shop",
}
"""The styles of marks for `grimalkin sheets --marks`."""


def gallery(stocks: dict[str, Stock]) -> str:
    """Return the page with pictures of all stocks and all styles of marks."""
    shapes = {
        "Cards and other rectangles": [
            item for item in stocks.items() if item[1].shape == "rectangle" and item[1].fold == "none"
        ],
        "Round pieces": [item for item in stocks.items() if item[1].shape == "circle"],
        "Hexagons": [item for item in stocks.items() if item[1].shape == "hexagon"],
        "Pieces that fold": [item for item in stocks.items() if item[1].fold != "none"],
    }
    text = (
        "# Gallery of stocks and marks\n\n"
        "This page shows every ready stock, all to the same scale, and every style of marks.\n"
        "The solid line is the cut, the tint beyond it is the bleed, and the dashed line is the safe area. "
        "A piece that folds is shown as the strip that is cut, with dotted folds.\n"
        "Lengths are in millimetres.\n"
        "Name a stock for a whole deck in `game.yaml`, or for one row in the column `stock` of a table.\n"
    )
    for heading, items in shapes.items():
        text += f"\n## {heading}\n\n" + _figures(_stock_figure(name, stock) for name, stock in _by_size(items))
    text += (
        "\n## Marks\n\n"
        "`grimalkin sheets were-kittens --marks crosses` chooses how the cuts are marked.\n"
        "The pictures show a small sheet with its marks in place; the tint is the bleed.\n\n"
    )
    width = SMALL_SHEET.width * MARKS_SCALE
    for_marks = {name: f"<code>{name}</code><br>{escape(MARK_WORDS.get(name, ''))}" for name in mark_styles()}
    return text + _figures(_figure(f"marks/{n}.svg", width, f"Marks: {n}", words) for n, words in for_marks.items())


def _figures(figures: Iterable[str]) -> str:
    shelf = "display:flex;flex-wrap:wrap;gap:1.4rem 1.2rem;align-items:start"
    return f'<div style="{shelf}">\n' + "".join(figures) + "</div>\n"


def _stock_figure(name: str, stock: Stock) -> str:
    more = [f"corner {stock.corner:g}"] if stock.corner else []
    more += [f"foot {stock.foot:g}"] if stock.foot else []
    words = ", ".join([_cut_size(stock), *more, f"bleed {stock.bleed:g}", f"safe {stock.safe:g}"])
    told = f"<code>{name}</code><br>{escape(stock.name)}<br>{words}"
    return _figure(f"stocks/{name}.svg", _picture_size(stock)[0], stock.name, told)


def _figure(picture: str, width: float, alt: str, words: str) -> str:
    """Return a picture of this width in pixels, with the words below it, which need some width themselves."""
    return (
        f'<figure style="margin:0;flex:0 1 max(10.5rem,{width:g}px)"><img src="../pictures/{picture}" '
        f'alt="{escape(alt)}"><figcaption class="small">{words}</figcaption></figure>\n'
    )


def mark_styles() -> tuple[str, ...]:
    from grimalkin.printing.sheet.settings import MarkStyle

    return get_args(MarkStyle)


SCALE = 0.9
MARKS_SCALE = 2
"""Pixels per millimetre in the gallery: for stocks, and for the sheets that show marks."""
AROUND = 1.5
"""Millimetres around the bleed of a stock in its picture."""
SMALL_SHEET = Paper(name="a small sheet", width=116, height=143, margin=5)


def _picture_size(stock: Stock) -> tuple[float, float]:
    """Return the width and height of a stock's picture, in pixels."""
    width, height = stock.piece
    more = 2 * (stock.bleed + AROUND)
    return round((width + more) * SCALE, 2), round((height + more) * SCALE, 2)


def stock_picture(stock: Stock) -> str:
    """Return a stock as SVG: bleed, cut, safe area and folds. The same for the same stock."""
    b, (width, height) = stock.bleed, stock.piece
    edge = b + AROUND
    view = f"{-edge:g} {-edge:g} {width + 2 * edge:g} {height + 2 * edge:g}"
    size = 'width="{:g}" height="{:g}"'.format(*_picture_size(stock))
    if stock.fold == "none":
        inner = stock if stock.corner >= stock.safe else stock.model_copy(update={"corner": 0.0})
        cut, bleed, safe = stock.outline(), stock.outline(b), inner.outline(-stock.safe)
        folds = ""
    else:
        foot, s = stock.foot, stock.safe
        cut = _rectangle(0, 0, width, height)
        bleed = _rectangle(-b, -b, width + 2 * b, height + 2 * b)
        tops = (foot, foot + stock.height)
        safe = "".join(_rectangle(s, top + s, width - 2 * s, stock.height - 2 * s) for top in tops)
        lines = sorted({*tops, foot + 2 * stock.height} - {0, height})
        folds = "".join(f"M0 {y:g}H{width:g}" for y in lines)
    dots = 'stroke-width=".7" stroke-dasharray=".2 2" stroke-linecap="round"'
    dotted = f'<path d="{folds}" fill="none" stroke="#1d1a26" {dots}/>'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{view}" {size}>'
        f'<path d="{bleed}" fill="#e8d9a8" stroke="#a0937a" stroke-width=".3"/>'
        f'<path d="{cut}" fill="#f7f1e3" stroke="#1d1a26" stroke-width=".7" stroke-linejoin="round"/>'
        f'<path d="{safe}" fill="none" stroke="#a3432f" stroke-width=".5" stroke-dasharray="2 1.2"/>'
        f"{dotted if folds else ''}</svg>\n"
    )


def box_picture() -> str:
    """Draw the tuck box of 54 poker cards as SVG, with the names of its panels."""
    from grimalkin.printing.sheet.tuck_box import Cards, box_for

    box = box_for(Cards(63, 88, 54 * 0.3))
    width, height = box.size
    names = {"left": "side", "right": "side"}
    words = "".join(
        f'<text transform="translate({x + wide / 2:g} {y + high / 2:g}) rotate({90 if high > 3 * wide else 0})" '
        f'text-anchor="middle" dominant-baseline="central">{names.get(name, name)}</text>'
        for name, (x, y, wide, high) in box.panels.items()
    )
    glue = f'<text transform="translate(6 {height / 2:g}) rotate(90)" text-anchor="middle">glue</text>'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-2 -2 {width + 4:g} {height + 4:g}" width="540" '
        f'font-family="sans-serif" font-size="6.5" fill="#1d1a26">'
        f'<path d="{box.edge()}" fill="#f7f1e3" stroke="#1d1a26" stroke-width=".7"/>'
        f'<path d="{"".join(box.creases())}" stroke="#a3432f" stroke-width=".6" stroke-dasharray="2.5 1.5"/>'
        f"{words}{glue}</svg>\n"
    )


def _rectangle(x: float, y: float, width: float, height: float) -> str:
    return f"M{x:g} {y:g}H{x + width:g}V{y + height:g}H{x:g}Z"


def marks_picture(style: str, stocks: dict[str, Stock]) -> str:
    """Return a small sheet with the marks of a style, as SVG, from the same arithmetic that prints them."""
    from grimalkin.printing.sheet.impose import impose, printable
    from grimalkin.printing.sheet.marks import Line, marks_of
    from grimalkin.printing.sheet.pieces import Piece
    from grimalkin.printing.sheet.settings import MarkStyle, Settings

    paper = SMALL_SHEET
    wanted = [("mini", stocks["mini"])] * 2 + [("token", stocks["circle-25"])] * 3
    pieces = [Piece(f"{name}-{number}", name, stock, False) for number, (name, stock) in enumerate(wanted)]
    chosen = cast(MarkStyle, style)
    problems = Problems()
    (sheet,) = impose(pieces, paper, Settings(backs="none", marks=chosen), Place("gallery"), problems)
    assert not problems, list(problems)
    marks = marks_of(sheet, chosen, printable(paper, Settings()))

    def path(lines: Iterable[Line]) -> str:
        return "".join(f"M{x1:g} {y1:g}L{x2:g} {y2:g}" for x1, y1, x2, y2 in lines)

    parts = []
    for slot in sheet.slots:
        stock, left, top = slot.piece.stock, slot.x, slot.y
        middle = f"rotate({-slot.turn} {slot.width / 2:g} {slot.height / 2:g})"
        off = f"translate({(slot.width - stock.width) / 2:g} {(slot.height - stock.height) / 2:g})"
        parts.append(f'<g transform="translate({left:g} {top:g}) {middle} {off}">')
        parts.append(f'<path d="{stock.outline(stock.bleed)}" fill="#e8d9a8"/>')
        parts.append(f'<path d="{stock.outline()}" fill="#fffaf0" stroke="#c9bda3" stroke-width=".3"/></g>')
    parts.append(f'<path d="{path(marks.white)}" stroke="#ffffff" stroke-width="{marks.white_weight:g}"/>')
    parts.append(f'<path d="{path(marks.lines)}" stroke="#1d1a26" stroke-width=".35"/>')
    parts += [f'<circle cx="{x:g}" cy="{y:g}" r=".6" fill="#1d1a26"/>' for x, y in marks.dots]
    parts += [f'<path d="{cut}" stroke="#1d1a26" stroke-width=".3" stroke-dasharray="1"/>' for cut in marks.cuts]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {paper.width:g} {paper.height:g}" '
        f'width="{paper.width * MARKS_SCALE:g}" height="{paper.height * MARKS_SCALE:g}" fill="none">'
        f'<rect width="{paper.width:g}" height="{paper.height:g}" fill="#ffffff" stroke="#c9bda3" stroke-width=".5"/>'
        f"{''.join(parts)}</svg>\n"
    )


# Markdown


def _table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    lines = [f"| {' | '.join(head)} |", "|" + "---|" * len(head)]
    lines += [f"| {' | '.join(row)} |" for row in rows]
    return "\n".join(lines) + "\n"


def _rows(words: dict[str, str]) -> Iterator[tuple[str, str]]:
    return ((f"`{name}`", _said(text)) for name, text in words.items())


def _said(words: str) -> str:
    """Return words with code in them, as Markdown that shows everything else as written.

    >>> _said("none of {poker: bridge}, but `a|b`")
    'none of \\\\{poker: bridge\\\\}, but `a|b`'
    """
    parts = re.split(r"(`[^`]*`)", words)
    return "".join(part if n % 2 else escaped(part) for n, part in enumerate(parts))


def _list(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)
