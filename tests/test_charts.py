"""Charts: what is wrong with an entry is told, shares are those of the trials, and every plot has its table."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from math import comb
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from games_for_tests import write_game
from shown import show, texts, write_birds

from grimalkin.content import load_game
from grimalkin.engine.odds import Chart, Panel, Point, Series
from grimalkin.parts.odds.charts import charted, counted_note, panel_svg
from grimalkin.parts.odds.content import Chart as Wish
from grimalkin.parts.odds.content import misfits
from grimalkin.parts.simulations.content import Simulations
from grimalkin.parts.simulations.pages import simulated
from grimalkin.parts.simulations.questions import Recorded, Results, Simulation
from grimalkin.play.simulation import Report
from grimalkin.play.simulation.totals import WIN, Key, Sums, Totals
from grimalkin.problems import Problems
from grimalkin.site.pages import Shown, navigation, pages
from grimalkin.site.pages.templates import load_words
from grimalkin.source import find_game_folder

HOOTS = {"snow-owl": (5, 0), "barn-owl": (4, 3), "dusk-owl": (2, 1)}
"""How often each owl tried to hoot, and did; the moor owl never tried."""
WISH = Wish(
    id="hooting",
    title="Who <hoots>?",
    text="See [[TI-PLAY-1]].",
    simulations=("two", "three", "later"),
    trials=("hoots",),
    across="wings",
    by="family",
    called={"9": "nine"},
)


def recorded(id_: str, players: int, trials: dict[str, tuple[int, int]]) -> Recorded:
    """A simulation of one deal, with a result or without."""
    simulation = Simulation(id=id_, title=f"The {id_}", text="T.", players=players, games=1, bots=("random",))
    rates: dict[Key, Sums] = {}
    for seat in range(players):
        rates["seat", str(seat + 1), ""] = Sums(1, WIN // players, 1, WIN // players, (WIN // players) ** 2, 1)
    for name, (tried, hooted) in trials.items():
        won = hooted * WIN
        rates["trial", "hoots", name] = Sums(tried, won, tried**2, tried * won, won**2, 1)
    totals = Totals(games=1, deals=1, rates=rates, counts={"": Counter({3: 1})})
    report = Report(("random",) * players, totals) if trials else None
    return Recorded(simulation, f"play {id_}", lambda: Results(report))


def given(found: Sequence[Recorded], wishes: Sequence[Wish] = ()) -> dict[str, Any]:
    """Return what the parts of a game hold: its simulations, and the entries of charts.yaml."""
    return {"simulations": Simulations(tuple(found)), "charts": tuple(wishes)}


@pytest.fixture
def owls(tmp_path: Path) -> Shown:
    """The owls, with a chart of three simulations, of which two are recorded."""
    shown = show(write_birds(tmp_path / "owls"))
    found = (recorded("two", 2, HOOTS), recorded("three", 3, {"barn-owl": (10, 1)}), recorded("later", 4, {}))
    return replace(shown, game=replace(shown.game, parts=given(found, (WISH,))))


def test_shares_are_those_of_the_trials(owls: Shown) -> None:
    """Values go across in their order, families are the parts; what was not tried in a panel has no share in it."""
    (view,) = charted(owls.game, load_words())
    two, three = view.chart.panels
    barn, snow = (two.series[0].parts[family] for family in ("barn", "snow"))

    assert view.chart.marks == ("2", "4", "nine")
    assert [panel.title for panel in view.chart.panels] == ["2 players", "3 players"]
    assert [point and (point.share, point.tries) for point in barn] == [(0.5, 2), (0.75, 4), None]
    assert [point and (point.share, point.tries) for point in snow] == [None, None, (0.0, 5)]
    assert [point and point.share for point in three.series[0].parts["barn"]] == [None, 0.1, None]
    assert "moor" not in str(view.chart)


@pytest.mark.parametrize(
    ("trials", "told"),
    [
        ({"dusk-owl": (2, 1), "barn-owl": (4, 2), "snow-owl": (3, 2)}, "hoots from 2 on"),
        ({"dusk-owl": (2, 1), "barn-owl": (9, 4), "snow-owl": (3, 2)}, "hoots from nine on"),
        ({"dusk-owl": (2, 1), "barn-owl": (9, 4), "snow-owl": (3, 1)}, "hoots never"),
    ],
)
def test_a_note_tells_from_where_on_it_is_likely(trials: dict[str, tuple[int, int]], told: str, owls: Shown) -> None:
    """A half is enough; one value before it does not count when a later one is less."""
    game = replace(owls.game, parts=given((recorded("two", 2, trials),), (replace_wish(simulations=("two",)),)))
    (view,) = charted(game, load_words())

    assert view.chart.lesson == "At least half of all attempts succeeded, all taken together:"
    assert view.chart.notes == (f"2 players: {told}",)


@pytest.mark.parametrize(
    ("owls", "hens", "told"),
    [
        ((0.4, 0.6, 0.8), (0.3, 0.6, 0.9), "by day: any 2 (60.0 %)"),
        ((0.4, 0.7, 0.8), (0.3, 0.55, 0.9), "by day: any 2 (at least 55.0 %)"),
        ((0.4, 0.7, 0.8), (0.3, 0.45, 0.9), "by day: the 2 of owls (70.0 %)"),
        ((0.4, 0.4, 0.8), (0.3, 0.5, 0.9), "by day: the 2 of hens (50.0 %)"),
        ((0.1, 0.2, 0.4), (0.1, 0.2, 0.45), "by day: none (at best the 3 of hens, 45.0 %)"),
        ((0.1, 0.2, 0.4), (0.1, 0.2, 0.4), "by day: none (at best any 3, 40.0 %)"),
    ],
)
def test_what_was_counted_tells_the_weakest_that_is_likely(
    owls: tuple[float, ...], hens: tuple[float, ...], told: str
) -> None:
    """Any part of a mark, where all parts of it are likely; else the weakest part that is. A half is enough."""
    parts = {"owls": tuple(map(Point, owls)), "hens": tuple(map(Point, hens))}
    hidden = Series("at noon", parts, drawn=False)
    night = Series("by night", {"owls": (None, None, Point(0.5))})
    panel = Panel("3 players", (Series("by day", parts), night, hidden))

    expected = f"3 players – {told}; by night: the 3 of owls (50.0 %)"

    assert expected == counted_note(panel, ("A", "2", "3"), load_words())


def test_the_odds_of_a_real_chart_are_told_by_the_weakest_card() -> None:
    """Doubled, a six of any suit counts 12 and loses to four cards alone: of six players it captures 35 over 5 of 39
    over 5 times, 56.4 %; a five of clubs does 34 over 5 times, 48.3 %."""
    game = load_game(find_game_folder("wolf-mans-curse"), Problems())
    assert game is not None
    unknown = next(view for view in charted(game, load_words()) if view.wish.chart)

    assert f"its suit doubled: any 6 ({100 * comb(35, 5) / comb(39, 5):.1f} %)" in unknown.chart.notes[3]
    assert unknown.chart.notes[3].startswith("6 players – plain night: the 10 of clubs (")


def test_every_try_counts_the_same() -> None:
    """3 of 4 and 0 of 2 together are a half; of shares that nobody tried, the mean."""
    tried = Series("s", {"a": (Point(0.75, 0.6, 0.9, 4), None), "b": (Point(0.0, 0.0, 0.1, 2), None)})
    counted = Series("s", {"a": (Point(0.75),), "b": (Point(0.25),)})

    assert tried.middle(0) == pytest.approx(0.5)
    assert tried.middle(1) is None
    assert counted.middle(0) == pytest.approx(0.5)


def test_a_chart_has_a_page(owls: Shown) -> None:
    """With a plot and a table for each panel and the simulations behind it; overview and navigation lead there."""
    made = texts(pages(owls))
    text = made["owls/odds/hooting.md"]

    assert "owls/odds/hooting.md" in str(navigation([owls]))
    assert "(odds/hooting.md)" in made["owls/index.md"]
    assert "# Who &lt;hoots&gt;?" in text
    assert "[rule 1.1](../rules-play.md#TI-PLAY-1" in text
    assert re.findall(r"<title [^>]*>(.*?)</title>", text) == ["2 players", "3 players"]
    assert re.findall(r"<summary>(.*?)</summary>", text) == ["2 players", "3 players"]
    assert re.findall(r'<th scope="row">(.*?)</th>', text) == ["2", "4", "nine"] * 2
    first = re.findall(r"<td>(.*?)</td>", text.partition("<tbody>")[2].partition("</tbody>")[0])
    assert [re.sub("<br>.*", "", cell) for cell in first] == ["50.0", "–", "75.0", "–", "–", "0.0"]
    assert "(../simulations/two.md)" in text
    assert "[Who &lt;hoots&gt;?](../odds/hooting.md)" in made["owls/simulations/two.md"]
    assert "later.md" not in text
    assert "exact" not in text


def test_a_rate_lies_in_its_interval_as_printed(owls: Shown) -> None:
    """Of 10000 tries, one a deal, 70 came off, 0.7 %. Wilson's interval is 0.7189 and 0.1645 % to either side of it,
    0.55 to 0.88 %; in whole percent that would be 1 to 1."""
    found = recorded("two", 2, {"dusk-owl": (1, 1)})
    assert found.report
    found.report.totals.rates["trial", "hoots", "dusk-owl"] = Sums(
        10_000, 70 * WIN, 10_000, 70 * WIN, 70 * WIN**2, 10_000
    )
    game = replace(owls.game, parts=given((found,), (replace_wish(simulations=("two",)),)))
    text = texts(pages(replace(owls, game=game)))["owls/odds/hooting.md"]

    assert "<td>0.7<br><small>0.6–0.9</small></td>" in text


def test_without_results_there_is_no_page(owls: Shown) -> None:
    game = replace(owls.game, parts=given((recorded("later", 4, {}),), (replace_wish(simulations=("later",)),)))
    shown = replace(owls, game=game)

    assert "odds" not in " ".join(pages(shown))
    assert "odds/" not in str(navigation([shown]))


def replace_wish(**changes: object) -> Wish:
    return WISH.model_copy(update=changes)


CHART = Chart(
    "wings & feet",
    ("A", "2"),
    (
        Panel(
            "2 <players>",
            (
                Series("by day", {"owls": (Point(0.25), Point(0.5)), "hens": (Point(0.75), Point(0.5))}),
                Series("by night", {"owls": (Point(1.0), Point(0.0)), "hens": (Point(1.0), Point(0.0))}),
                Series("at noon", {"owls": (Point(0.1), Point(0.1)), "hens": (Point(0.1), Point(0.1))}, drawn=False),
            ),
        ),
    ),
)


def test_a_plot_is_told_in_words() -> None:
    """Title and description belong to it by their ids; words are text, not markup; what is not drawn is not told."""
    root = ElementTree.fromstring(panel_svg(CHART, CHART.panels[0], "hooting"))
    title, told = root.find("title"), root.find("desc")
    assert title is not None
    assert told is not None

    assert root.get("role") == "img"
    assert root.get("aria-labelledby") == title.get("id")
    assert root.get("aria-describedby") == told.get("id")
    assert title.get("id") == "hooting-2-players-t"
    assert title.text == "2 <players>"
    assert told.text == "by day, by wings & feet: A: 50 %, 2: 50 %. by night, by wings & feet: A: 100 %, 2: 0 %."


def test_series_are_told_apart_without_colour() -> None:
    """Full dots on a solid line, open squares on a dashed one; there is one colour, that of the text around."""
    text = panel_svg(CHART, CHART.panels[0], "hooting")

    assert set(re.findall(r'(?:fill|stroke)="([^"]*)"', text)) == {"currentColor", "none"}
    assert text.count("stroke-dasharray") == 2  # the line, and its key
    assert text.count('class="open"') == 2
    assert text.count('stroke-linecap="round"') == 2


def test_a_bar_reaches_from_the_least_part_to_the_most() -> None:
    """Where all parts agree, there is none. 100 % is 150 high: a quarter to three quarters are 75."""
    text = panel_svg(CHART, CHART.panels[0], "hooting")
    (bars,) = re.findall(r'<path d="([^"]*)" stroke="currentColor" stroke-width="3"', text)
    found = re.fullmatch(r"M[\d.]+ ([\d.]+)V([\d.]+)", bars)
    assert found

    assert float(found[1]) - float(found[2]) == pytest.approx(75)


def test_a_plot_fits_a_phone() -> None:
    """Nothing in it is beside its 360 pixels."""
    text = panel_svg(CHART, CHART.panels[0], "hooting")
    root = ElementTree.fromstring(text)
    xs = [float(x) for x in re.findall(r'(?:[MLH]| x=")(-?[\d.]+)', text)]

    assert root.get("width") == "360"
    assert min(xs) >= 0
    assert max(xs) <= 360


FAULTS = {
    "no source": ("", "write either the engine's `chart`, or `simulations` with `trials`"),
    "two sources": (
        "chart: hoots, simulations: [two], trials: [hoots], across: power, by: mood",
        "write either the engine's `chart`, or `simulations` with `trials`",
    ),
    "half a source": ("simulations: [two], across: power, by: mood", "needs `trials`, `across` and `by`"),
    "no engine": ("chart: hoots", 'the engine has no chart "hoots"'),
    "no simulation": (
        "simulations: [two], trials: [hoots], across: power, by: mood",
        'there is no simulation "two"',
    ),
    "no column": (
        "simulations: [two], trials: [hoots], across: powr, by: mood",
        'no deck has a column "powr"; did you mean "power"?',
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_faults_of_an_entry_are_told_at_its_line(fault: str, tmp_path: Path) -> None:
    wish, message = FAULTS[fault]
    entry = f"{{id: one, title: One, text: T.{', ' if wish else ''}{wish}}}"
    problems = Problems()
    load_game(write_game(tmp_path / "tiny", **{"charts.yaml": f"charts:\n  - {entry}\n"}), problems)

    told = [str(problem) for problem in problems]

    assert any("tiny/charts.yaml:2: " in line and message in line for line in told), told


def test_a_chart_is_there_once(tmp_path: Path) -> None:
    entry = "  - {id: one, title: One, text: T., chart: hoots}\n"
    problems = Problems()
    load_game(write_game(tmp_path / "tiny", **{"charts.yaml": f"charts:\n{entry}{entry}"}), problems)

    assert any('charts.yaml:3: the id "one" is taken' in str(problem) for problem in problems)


def test_trials_must_be_there_and_of_components(owls: Shown) -> None:
    """Only a recorded simulation can tell: the name of the trial, and that what was tried are components."""
    info = owls.game.info
    misspelt = replace_wish(simulations=("two",), trials=("hoot",))
    sound = replace_wish(simulations=("two",))
    two, later = (recorded("two", 2, HOOTS),), (recorded("two", 2, {}),)

    decks, pieces = dict.fromkeys(HOOTS, "birds"), owls.game.by_id

    assert [*misfits(misspelt, info, None, two, decks, pieces)] == [
        (("trials", 0), 'these simulations have no trial "hoot"', 'did you mean "hoots"?')
    ]
    assert [*misfits(misspelt, info, None, later, decks, pieces)] == []
    assert [*misfits(sound, info, None, two, decks, pieces)] == []
    message = '"barn-owl", tried under "hoots", is not a component with those two columns'
    for other in ({**decks, "barn-owl": "cards"}, {"snow-owl": "birds", "dusk-owl": "birds"}):
        assert [*misfits(sound, info, None, two, other, pieces)] == [
            (("trials", 0), message, "it needs wings and family")
        ]
    half = replace_wish(simulations=("two",), across="power")  # of the cards; birds have a family alone
    assert [*misfits(half, info, None, two, decks, pieces)] == [(("trials", 0), message, "it needs power and family")]


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"song": None}, '"barn-owl" was tried, but its song is empty; choose columns that all of them fill'),
        ({}, '"barn-owl" and "snow-owl" have the same family and tame; choose columns that distinguish them'),
    ],
)
def test_components_that_have_no_place_of_their_own_are_told(owls: Shown, change: dict[str, None], told: str) -> None:
    """One would hide the other, or stand under a heading that says nothing."""
    snow = owls.game.by_id["snow-owl"]
    alike = {"family": snow.family, "tame": snow.tame, "song": "hoo"}
    pieces = {**owls.game.by_id, "barn-owl": owls.game.by_id["barn-owl"].model_copy(update={**alike, **change})}
    wish = replace_wish(simulations=("two",), across="song" if change else "family", by="tame")
    found = [*misfits(wish, owls.game.info, None, (recorded("two", 2, HOOTS),), dict.fromkeys(HOOTS, "birds"), pieces)]

    assert told in [f"{what}; {hint}" for _, what, hint in found]


def test_panels_of_as_many_players_are_told_apart(owls: Shown) -> None:
    """By their bots in the title, and by ids of their own for those who listen."""
    other = recorded("again", 2, HOOTS)
    wish = replace_wish(simulations=("two", "again"))
    game = replace(owls.game, parts=given((recorded("two", 2, HOOTS), other), (wish,)))
    (view,) = charted(game, load_words())
    ids = [re.findall(r'<title id="([^"]+)"', panel.plot)[0] for panel in view.panels]

    assert ["2 players: random"] * 2 == [panel.title for panel in view.panels]
    assert 2 == len(set(ids))


def test_trials_of_few_kinds_stand_on_the_page_of_their_simulation(owls: Shown) -> None:
    """The most frequent first; many kinds have a chart, and are left out."""
    shown = simulated(recorded("two", 2, HOOTS), {})
    many = simulated(recorded("two", 2, {f"owl-{n}": (9, 1) for n in range(9)}), {})

    assert shown and many
    assert [("Hoots", ["barn-owl", "dusk-owl", "snow-owl"])] == [
        (one.group.title, [row.label for row in one.group.rows]) for one in shown.trials
    ]
    assert () == many.trials
    made = texts(pages(replace(owls, game=replace(owls.game, parts=given((recorded("two", 2, HOOTS),))))))
    assert "## Hoots" in made["owls/simulations/two.md"]
