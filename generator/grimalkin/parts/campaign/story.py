"""Replay a campaign's story through the engine, answer by answer, and return the outcome of each episode.

The records have the form of a campaign's file: answers and draws. They determine what the party keeps after a
chapter, whether it won, and which rules applied; what a Safehaven keeps must agree with that.
"""

from __future__ import annotations

from collections.abc import Sequence

from grimalkin.engine.campaigns import Campaign, Chapter, Kept, find_campaign
from grimalkin.engine.chance import ChanceError, Scripted
from grimalkin.engine.contract import Facts, GameModule, State
from grimalkin.engine.replay import RESERVED, draws_of
from grimalkin.engine.saved import MOST_STEPS, Step, Steps
from grimalkin.engine.shape import Listing, Misfit, Misfits, Path
from grimalkin.engine.words import OVER, Event
from grimalkin.parts.campaign.episodes import Came, Episode, Followed, ToldCampaign
from grimalkin.play.campaign.progress import play_answer
from grimalkin.problems import did_you_mean


def follow_told(module: GameModule, facts: Facts, told: ToldCampaign) -> Followed:
    """Replay a campaign's story up to the first mismatch."""
    campaign = find_campaign(module)
    if campaign is None:
        return Followed(told, (), (Misfit((), "this game has no campaigns", "write it as a playthrough"),))
    follower = _Follower(module, facts, campaign, told)
    try:
        follower.run()
    except Misfits as error:
        return Followed(told, tuple(follower.came), error.misfits)
    return Followed(told, tuple(follower.came), ())


class _Follower:
    def __init__(self, module: GameModule, facts: Facts, campaign: Campaign, told: ToldCampaign) -> None:
        self.module, self.facts, self.campaign, self.told = module, facts, campaign, told
        self.came: list[Came] = []
        self.havens: dict[str, Kept] = {}
        self.kept: Kept = {}

    def run(self) -> None:
        for index, name in enumerate(self.told.seats):
            if name in RESERVED:
                raise Misfits.at(
                    ("seats", index), f'a seat cannot be called "{name}"', "that word already has a meaning in a script"
                )
        try:
            self.kept = self.campaign.begin(self.facts, self.told.seats, self.told.options)
        except Misfits as error:
            raise Misfits([Misfit(("options", *one.at), one.message, one.hint) for one in error.misfits]) from None
        for index, episode in enumerate(self.told.episodes):
            at: Path = ("episodes", index)
            came = self.play(episode, at) if episode.play else self.keep(episode, at)
            for number, rule in enumerate(episode.rules):
                if rule not in came.fired:
                    raise Misfits.at(
                        (*at, "rules", number), f"nothing in this episode applies {rule}", "name another rule, or none"
                    )
            self.came.append(came)
            self.kept = came.kept

    def play(self, episode: Episode, at: Path) -> Came:
        """Play a chapter, answer by answer."""
        known = {chapter.id: chapter for chapter in self.campaign.chapters(self.facts, self.kept)}
        if episode.play not in known:
            hint = did_you_mean(str(episode.play), known)
            raise Misfits.at((*at, "play"), f'"{episode.play}" cannot be played now', hint)
        chapter = known[str(episode.play)]
        events: list[Event] = []
        record = self.steps(episode, (*at, "record"))
        state = self.follow(chapter, record, (*at, "record"), events)
        result = state.result()
        if state.to_act() != OVER or result is None:
            raise Misfits.at((*at, "record"), "the chapter is not over when its record ends", "play it to the end")
        kept = self.campaign.after(self.facts, self.kept, chapter, state)
        won = bool(result.winners)
        fired = {event.rule for event in events} | {*chapter.rules, *result.rules}
        fired |= {self.campaign.rules["failed"]} if not won else set()
        answers = sum(next(iter(step)) not in RESERVED for step in record)
        return Came(episode, chapter, won, self.kept, kept, frozenset(fired), answers)

    def steps(self, episode: Episode, at: Path) -> list[Step]:
        """Return the steps of a record, after checking their form."""
        steps, misfits = Listing(Steps(), most=MOST_STEPS).read(list(episode.record), at)
        if misfits:
            raise Misfits(misfits)
        found: list[Step] = steps
        return found

    def follow(self, chapter: Chapter, record: Sequence[Step], at: Path, events: list[Event]) -> State:
        """Return the state that a record leads to."""
        script = Scripted([])
        first = next((index for index, step in enumerate(record) if next(iter(step)) not in RESERVED), len(record))
        script.left += [draw for step in record[:first] for draw in draws_of(step)]
        try:
            state: State = self.module.start(self.facts, self.told.seats, chapter.options, script, events)
        except ChanceError as error:
            raise Misfits.at(at, str(error)) from None
        for index, step in enumerate(record[first:], first):
            ((key, said),) = step.items()
            if key == "draw":
                script.left += draws_of(step)
            elif key not in RESERVED:
                play_answer(self.module, self.facts, state, script, key, str(said), (*at, index, key), events)
        if script.left:
            raise Misfits.at(at, f'"{script.left[0][1]}" is never drawn as "{script.left[0][0]}"', "delete the draw")
        return state

    def keep(self, episode: Episode, at: Path) -> Came:
        """Make a Safehaven, or return to one."""
        rules = self.campaign.shows
        if episode.restore:
            if episode.restore not in self.havens:
                hint = did_you_mean(episode.restore, self.havens)
                raise Misfits.at(
                    (*at, "restore"), f'no Safehaven called "{episode.restore}" was made before this', hint
                )
            return Came(episode, None, None, self.kept, self.havens[episode.restore], frozenset(rules["restore"]))
        name = str(episode.safehaven)
        rests = any(chapter.rests for chapter in self.campaign.chapters(self.facts, self.kept))
        rule = "" if rests else self.campaign.rules["rest"]
        if rule != (episode.refused or ""):
            told = f"{rule} refuses it here" if rule else f"{episode.refused} does not refuse it here"
            raise Misfits.at((*at, "safehaven"), told)
        if episode.refused is None:
            shape = self.campaign.shape(self.facts)
            written, misfits = shape.read(episode.kept)
            if misfits:
                raise Misfits([Misfit((*at, "kept", *one.at), one.message, one.hint) for one in misfits])
            if written != shape.read(self.kept)[0]:
                raise Misfits.at((*at, "kept"), f"the party has something else here: {dict(self.kept)}")
            self.havens[name] = self.kept
        return Came(episode, None, None, self.kept, self.kept, frozenset(rules["rest"]))
