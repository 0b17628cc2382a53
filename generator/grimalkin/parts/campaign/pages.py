"""Build the page of a game's campaigns: what the party keeps, and campaigns that were played.

Everything shown of a campaign is found by replaying its record: who won, and what the party had afterwards.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from grimalkin.content import Game
from grimalkin.engine.campaigns import Campaign, Kept, Standing, find_campaign
from grimalkin.engine.shape import Record, Shape, Table
from grimalkin.parts.campaign.content import campaigns_of
from grimalkin.parts.campaign.episodes import Came, Followed
from grimalkin.site.pages.kinds import Menu, listing
from grimalkin.site.pages.links import Reader, Words, escaped, gathered
from grimalkin.site.pages.shown import Shown
from grimalkin.site.pages.write import Writer

KIND = "campaign"
MENU_BEFORE = OVERVIEW_BEFORE = "maps"
PAGE = "campaign.md"


def begins(shown: Shown) -> str:
    """Return the page, if the game has campaigns."""
    return PAGE if has_campaigns(shown.game) else ""


def menu(shown: Shown, words: Words) -> Menu:
    """Return the one entry."""
    return listing(words[KIND], [], PAGE)


def write(writer: Writer) -> None:
    """Write what the party keeps from one chapter to the next, and campaigns that were played."""
    if not has_campaigns(writer.game):
        return
    view = campaign_view(writer.game, campaigns_of(writer.game).followed, Reader(writer.map, PAGE), writer.words)
    faces = {one.of: writer.shown.faces.get(f"{one.of}-front") for one in writer.printables.of_kind("form")}
    forms = [(writer.game.by_id[id_].name, face) for id_, face in faces.items() if face]
    writer.main(KIND, view=view, forms=forms)


@dataclass(frozen=True)
class Change:
    """A change to the party's sheet; all text is Markdown."""

    whose: str
    what: str
    before: str
    after: str


@dataclass(frozen=True)
class EpisodeView:
    """An episode of a campaign; all text is Markdown."""

    kind: str
    """passed, failed, safehaven, refused or restored."""
    title: str
    text: str
    answers: int
    changes: tuple[Change, ...]
    by: str


@dataclass(frozen=True)
class ToldView:
    """A campaign that was played, ready for its page."""

    followed: Followed
    summary: str
    episodes: tuple[EpisodeView, ...]
    end: tuple[tuple[str, tuple[tuple[str, str, str], ...]], ...]
    """The party at the end: whose value it is, and its name, amount and rule."""
    answers: int


@dataclass(frozen=True)
class CampaignView:
    """The page of a game's campaigns, ready for its template."""

    agreed: tuple[tuple[str, str], ...]
    """Options to agree on at the start: name and meaning."""
    of_party: tuple[tuple[str, str], ...]
    of_each: tuple[tuple[str, str], ...]
    """What the party keeps, and what each hero keeps."""
    rest: str
    restore: str
    lost: str
    """The rules about saving, restoring and losing."""
    told: tuple[ToldView, ...]


def has_campaigns(game: Game) -> bool:
    """Return whether a game's engine supports campaigns."""
    return find_campaign(game.module) is not None


def campaign_view(game: Game, followed: Sequence[Followed], reader: Reader, words: Words) -> CampaignView:
    campaign = find_campaign(game.module)
    assert campaign is not None
    options, shape = campaign.options(game.facts), campaign.shape(game.facts)
    kept = [(name, one) for name, one in shape.known.items() if isinstance(one, Table) or name not in options.known]
    each = next((one.each for _, one in kept if isinstance(one, Table) and isinstance(one.each, Record)), None)
    return CampaignView(
        tuple(_described(options.known)),
        tuple(_described({name: one for name, one in kept if not isinstance(one, Table)})),
        tuple(_described(each.known)) if each else (),
        _laws(game, campaign.shows["rest"], reader),
        _laws(game, campaign.shows["restore"], reader),
        _laws(game, (campaign.rules["failed"],), reader),
        tuple(_told(game, campaign, one, reader, words) for one in followed),
    )


def _laws(game: Game, rules: Sequence[str], reader: Reader) -> str:
    """List rules with their titles."""
    return "; ".join(f"{escaped(game.laws[rule].title)} ({' '.join(reader.named([rule]))})" for rule in rules)


def _described(shapes: Mapping[str, Shape]) -> Iterator[tuple[str, str]]:
    for name, shape in shapes.items():
        if told := str(getattr(shape, "describe", "")):
            yield name, escaped(told)


def _told(game: Game, campaign: Campaign, followed: Followed, reader: Reader, words: Words) -> ToldView:
    last = followed.came[-1].kept if followed.came else {}
    standing = campaign.standing(game.facts, last) if last else ()
    by_whose = gathered(
        (line.whose, (escaped(line.what), escaped(line.value), " ".join(reader.named([line.rule]))))
        for line in standing
    )
    return ToldView(
        followed,
        reader.md(followed.told.summary),
        tuple(_episode(game, campaign, one, reader, words) for one in followed.came),
        tuple((_name(game, whose, words), tuple(lines)) for whose, lines in by_whose.items()),
        sum(one.answers for one in followed.came),
    )


def _episode(game: Game, campaign: Campaign, came: Came, reader: Reader, words: Words) -> EpisodeView:
    episode = came.episode
    if came.chapter is not None:
        kind, title = "passed" if came.won else "failed", escaped(came.chapter.title)
    elif episode.refused:
        kind, title = "refused", escaped(episode.safehaven or "")
    elif episode.safehaven:
        kind, title = "safehaven", escaped(episode.safehaven)
    else:
        kind, title = "restored", escaped(episode.restore or "")
    rules = (*episode.rules, *((episode.refused,) if episode.refused else ()))
    return EpisodeView(
        kind,
        title,
        reader.md(episode.say),
        came.answers,
        tuple(_changes(game, campaign, came.before, came.kept, words)),
        " ".join(reader.named(rules)),
    )


def _changes(game: Game, campaign: Campaign, before: Kept, after: Kept, words: Words) -> Iterator[Change]:
    """Yield the changes to the party's sheet."""
    old, new = (_lines(campaign.standing(game.facts, kept)) for kept in (before, after))
    for key in dict.fromkeys((*old, *new)):
        was, then = old.get(key), new.get(key)
        if was != then:
            nothing = escaped(words["campaign-nothing"])
            whose, what = key
            yield Change(
                _name(game, whose, words), escaped(what), escaped(was or "") or nothing, escaped(then or "") or nothing
            )


def _lines(standing: Sequence[Standing]) -> dict[tuple[str, str], str]:
    return {(line.whose, line.what): line.value for line in standing}


def _name(game: Game, whose: str, words: Words) -> str:
    row = game.by_id.get(whose)
    return escaped(row.name if row else whose or words["campaign-party"])
