"""Lines: where they may end, where not, and how they are filled."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path

import pytest
from games_for_tests import write_game
from hypothesis import assume, given
from hypothesis import strategies as st
from no_hang import no_hang
from test_face import compose, face_problems, lines_of, with_words

from grimalkin.content import load_game
from grimalkin.content.texts.references import ITEM
from grimalkin.content.texts.typography import apostrophes
from grimalkin.printing.face.textboxes import WIDEST
from grimalkin.printing.type.breaks import breaks, language_fault, syllables
from grimalkin.printing.type.fit import POINT, Block, fit
from grimalkin.printing.type.font_files import lettered
from grimalkin.printing.type.fonts import find_font, read_font
from grimalkin.printing.type.shaping import MissingGlyph, text_width
from grimalkin.printing.type.words import Piece, read_words, words_of_pieces
from grimalkin.problems import Problems

SANS = "SourceSansPro"
SPACE = text_width(SANS, " ")
EM = 8 * POINT


def set_text(text: str, width: float, height: float = 100, language: str = "", **how: bool) -> Block | None:
    """Lines of 8 pt, which do not shrink."""
    font = find_font(SANS)
    assert font is not None
    return fit(read_words(text, SANS, {}, language=language), font, width, height, 8, 8, 1.25, 1.08, **how)


def lines(text: str, width: float, language: str = "", **how: bool) -> list[str]:
    block = set_text(text, width, language=language, **how)
    assert block is not None
    return lines_of(block)


def wide(text: str) -> float:
    """Millimetres that just hold a text."""
    return text_width(SANS, text) * EM + 0.001


def parts(text: str, language: str = "") -> list[str]:
    places = [0, *breaks(text, language), len(text)]
    return [text[begin:end] for begin, end in pairwise(places)]


# Where words may be broken


@pytest.mark.parametrize(
    "text",
    [
        "moth\u00ad|er",
        "kit\u200b|ten",
        "well-|known",
        "up-|to-|date",
        "cat's-|paw",
        "Wolf-|Man’s",
        "and/|or",
        "Monday–|Friday",
        "meow—|and",
        "“meow!”—|“who?”",
        "1990—|the",
        "cat--|dog",
        "example.org/|rules/|cats",
        "黒|い|猫|が",
        "今|日|は|Grimalkin|を|遊|ぶ",
        "「黒|い|猫」|が|い|た。|は|い",
    ],
)
def test_a_line_may_end_within_a_word(text: str) -> None:
    """After hyphens, dashes and slashes between words, where the writer says so, and in Chinese and Japanese."""
    assert text.split("|") == parts(text.replace("|", ""))


@pytest.mark.parametrize(
    "text",
    [
        "-1",
        "3-4",
        "3–4",
        "A–K",
        "A°–10",
        "1990–95",
        "km/h",
        "1/2",
        "w/o",
        "e-mail",
        "T-shirt",
        "--flag",
        "-",
        "—and",
        "“I—”",
        "(well-)",
        "10\u00a0cm",
        "10\u202fcm",
        "well\u2011known",
        "well-\u2060known",
        "meow—\u2060and",
        "黒\u2060猫",
        "猫。」",
        "（猫",
        "ちょっ",
        "데이터",
        "don’t",
        "a.b,c;d",
        "\ufffc,",
        "\ufffc\ufffc",
        "2\ufffc.",
        "\ufffc-\ufffc",
    ],
)
def test_a_line_may_not_end_here(text: str) -> None:
    """Within numbers, units, short compounds and what is kept together, before what closes, beside an icon."""
    assert [text] == parts(text)


@given(st.text(alphabet="黒猫かナ「」（）。、ーっ々ab1 \u2060", max_size=30))
def test_chinese_and_japanese_lines_begin_and_end_well(text: str) -> None:
    """Not with what closes or goes on, nor with what opens; with anything else."""
    places = breaks(text)
    for place, (before, after) in enumerate(pairwise(text), 1):
        wide = {before, after} & set("黒猫かナ「」（）。、ーっ々")
        may = wide and before not in "「（ 1\u2060" and after not in "」）。、ーっ々 1\u2060"

        assert bool(may) is (place in places), (before, after)


@pytest.mark.parametrize(
    ("text", "width", "shown"),
    [
        ("the well-known cat", "the well- ", ["the well-", "known", "cat"]),
        ("a **well**-*known* cat", "a well- ", ["a well-", "known", "cat"]),
        ("kit\u200bten\u200bcat", "kittenc", ["kitten", "cat"]),
        ("meow—and she went", "meow— ", ["meow—", "and she", "went"]),
        ("a co\u00adop-\u2060ted cat", "op-ted", ["a co-", "op-ted", "cat"]),
        ("a well\u2011known cat", "well-known", ["a", "well-known", "cat"]),
        ("a well\u2010known cat", "a well- ", ["a well-", "known", "cat"]),
        ("go\u2060 on home", "go home", ["go\u00a0on", "home"]),
        ("she \u2060is", "she", None),
        ("two **cats**, two", "two cats", ["two", "cats,", "two"]),
        ("we see – you go", "we see", ["we", "see –", "you go"]),
        ("hélas quoi ?! rien", "hélas quoi", ["hélas", "quoi ?!", "rien"]),
        ("voilà « non » mais", "voilà « non", ["voilà", "« non »", "mais"]),
        ("well-\u00adknown", "known", ["well-", "known"]),
        ("– – –", "– ", ["–", "–", "–"]),
        ("well-known – no", "known", ["well-", "known", "– no"]),
    ],
)
def test_words_are_broken_as_they_are_printed(text: str, width: str, shown: list[str] | None) -> None:
    """In whatever style; a hyphen is printed once, signs that only say where lines may end are not."""
    block = set_text(text, wide(width))

    assert shown == (lines_of(block) if block else None)


def test_pieces_of_a_broken_word_keep_their_fonts() -> None:
    """And what was one piece is one again when the line is long enough."""
    (word,) = words_of_pieces(
        (Piece(SANS, "un"), Piece("SourceSansProBold", "kind\u00adli\u00adness"), Piece(SANS, "."))
    )

    assert ["un", "kindliness", "."] == [piece.text for piece in word.pieces]

    head, rest = word.broken(text_width(SANS, "unkindli-") + 0.3) or pytest.fail("it is not broken")

    assert [(SANS, "un"), ("SourceSansProBold", "kindli-")] == [piece[:2] for piece in head.pieces]
    assert [("SourceSansProBold", "ness"), (SANS, ".")] == [piece[:2] for piece in rest.pieces]
    assert head.goes_on
    assert not rest.cuts


def test_lines_that_go_on_say_so() -> None:
    """So that whoever reads them on puts no space there."""
    block = set_text("kitten\u200bcat is so is so is", wide("kittenca"))
    assert block is not None

    assert [True, False, False] == [line[-1].goes_on for line in block.lines]


def test_a_blank_space_beside_a_break_stays_one() -> None:
    """A space for which the font has no glyph is never printed as part of a text."""
    block = set_text("cat\u200b\u2009cat", 50)
    assert block is not None
    ((word,),) = block.lines

    assert ["cat", "\u2009", "cat"] == [piece.text for piece in word.pieces]


SIGNS = st.text(alphabet="abcdXY ,.-–—/1()“”'\u00a0\u200b\u2060\u2011«»?", max_size=150)


@pytest.mark.slow("measures many texts")
@given(SIGNS, st.floats(6, 60), st.booleans(), st.booleans())
def test_lines_give_back_their_text(text: str, width: float, justify: bool, balance: bool) -> None:
    """Nothing is lost and no line wider than its box; lines within words end where they may, and so do all others."""
    assume(not ITEM.match(text))  # the signs of lists are printed as bullets
    block = set_text(text, width, justify=justify, balance=balance)
    if block is None:
        return
    told, rows = "", lines_of(block)
    for line, row in zip(block.lines, rows, strict=True):
        em = sum(word.width for word in line) + SPACE * (len(line) - 1)

        assert em * EM <= width + 1e-6
        assert row.strip(" ")

        told += row + ("" if line[-1].goes_on else " ")
    plain = re.sub("\u2060 | \u2060", "\u00a0", apostrophes(text).replace("\u2011", "-")).strip()

    assert [one for one in re.sub("[\u200b\u2060]", "", plain).split(" ") if one] == told.split(" ")[:-1]

    for line, after in zip(block.lines, rows[1:], strict=False):
        before = line[-1].pieces[-1].text
        if line[-1].goes_on and "\u200b" not in text:
            assert re.search("[^\\W\\d_]", after[:2])
            assert re.search("(?:[-–/]|—|--)$", before)


@pytest.mark.slow("measures many texts")
@given(st.lists(st.sampled_from(["kit\u00adten", "moth\u00ader\u00adless", "cat", "a", ":paw:,"]), max_size=40))
def test_soft_hyphens_are_printed_where_lines_end(words: list[str]) -> None:
    """There alone, and no more than two lines follow each other that end so."""
    block = set_text(" ".join(words), 16)
    assert block is not None
    rows = lines_of(block)
    whole = "".join(row[:-1] if line[-1].goes_on else f"{row} " for line, row in zip(block.lines, rows, strict=True))

    assert [word.replace("\u00ad", "").replace(":paw:", "") for word in words] == whole.split(" ")[:-1]
    assert "111" not in "".join(str(int(line[-1].goes_on)) for line in block.lines)


def test_a_word_is_left_whole_where_the_line_is_filled() -> None:
    """A soft hyphen may be used below four fifths of a line, a hyphen of a compound below three fifths."""
    row, after = "m" * 20, " mm" * 18
    for begin, share in (("il\u00ad", 0.8), ("il-", 0.6)):
        for filled, shown in ((share - 0.02, f"{row} il-"), (share + 0.02, row)):
            assert shown == lines(f"{row} {begin}{row}{after}", wide(row) / filled)[0]


def test_to_leave_a_word_whole_costs_no_line() -> None:
    """Where breaking it saves one, it is broken after all."""
    width = wide("xxxxxxxx well-")

    assert ["xxxxxxxx", "well-known x"] == lines("xxxxxxxx well-known x", width)
    assert ["xxxxxxxx well-", "known xx xx"] == lines("xxxxxxxx well-known xx xx", width)


def test_no_more_than_two_lines_in_a_row_end_in_a_broken_word() -> None:
    """The next one is left bare."""
    block = set_text("xxx\u00adxxxxx " * 6 + "xx xx xxx xx xx", wide("xxxxxxxx xxx-"))
    assert block is not None

    assert [True, True, False] == [line[-1].goes_on for line in block.lines[:3]]


def test_a_word_with_a_hundred_places_is_not_broken() -> None:
    """No language has one; a stranger's would take long."""
    assert set_text("il\u00ad" * 40, 12)
    assert set_text("il\u00ad" * 100, 12) is None


def test_the_last_word_of_a_paragraph_is_left_whole() -> None:
    """Unless it is wider than the box."""
    assert ["a", "motherless"] == lines("a moth\u00aderless", wide("motherless"))
    assert ["a moth-", "erless"] == lines("a moth\u00aderless", wide("a moth- "))


# Hyphenation

WORDS_OF_LANGUAGES = {
    "af": "onafhanklikheid", "as": "অসমীয়াভাষা", "be": "незалежнасць", "bg": "независимост", "ca": "independència",
    "cs": "nezávislost", "da": "uafhængighed", "de": "Unabhängigkeit", "el": "ανεξαρτησία", "en": "independence",
    "eo": "sendependeco", "es": "independencia", "et": "iseseisvus", "eu": "independentzia", "fr": "indépendance",
    "gl": "independencia", "hr": "neovisnost", "hu": "függetlenség", "id": "kemerdekaan", "is": "sjálfstæði",
    "it": "indipendenza", "kn": "ಸ್ವಾತಂತ್ರ್ಯವು", "lt": "nepriklausomybė", "lv": "neatkarība", "mn": "тусгаарласан",
    "mr": "महाराष्ट्रातील", "nb": "uavhengighet", "nl": "onafhankelijkheid", "nn": "sjølvstende", "or": "ସ୍ୱାଧୀନତାରେ",
    "pa": "ਆਜ਼ਾਦੀਆਂਵਾਲਾ", "pl": "niepodległość", "pt": "independência", "ro": "independență", "ru": "независимость",
    "sa": "स्वातन्त्र्यमस्ति", "sk": "nezávislosť", "sl": "neodvisnost", "sq": "pavarësisë", "sr": "независност",
    "sr-Latn": "nezavisnost", "sv": "självständighet", "te": "స్వాతంత్ర్యము", "uk": "незалежність", "zu": "ukuzimelela",
}  # fmt: skip


@pytest.mark.slow("reads large dictionaries")
@pytest.mark.parametrize(
    ("word", "language", "shown"),
    [
        ("extraordinary", "en", "ex|traordin|ary"),
        ("“extraordinary”,", "en-US", "“ex|tra|or|di|nary”,"),
        ("Extraordinary", "en-US", "Ex|tra|or|di|nary"),
        ("Katzenmusik", "de", "Kat|zen|mu|sik"),
        ("l’extraordinaire", "fr", "l’ex|tra|or|di|naire"),
        ("EXTRAORDINARY", "en", "EXTRAORDINARY"),
        ("extraordinary1", "en", "extraordinary1"),
        ("extraordinary.org", "en", "extraordinary.org"),
        ("self-extraordinary", "en", "self-|extraordinary"),
        ("extra\u00adordinary", "en", "extra\u00ad|ordinary"),
        ("only", "en", "only"),
        ("asszonnyal", "hu", "asszonnyal"),
        ("coördinatie", "nl", "coör|di|na|tie"),
        ("reëel", "nl", "reëel"),
        ("beïnvloed", "af", "beïn|vloed"),
        ("महाराष्ट्रातील", "mr", "महा|रा|ष्ट्रा|तील"),
        ("“స్వాతంత్ర్యము”,", "te-IN", "“స్వా|తం|త్ర్యము”,"),
        ("ಸ್ವಾತಂತ್ರ್ಯವು", "kn", "ಸ್ವಾ|ತಂ|ತ್ರ್ಯವು"),
        ("স্বাধীনতা2", "as", "স্বাধীনতা2"),
        ("İstanbulların", "tr", "İstanbulların"),
        ("", "en", ""),
    ],
)
def test_words_are_hyphenated_by_language(word: str, language: str, shown: str) -> None:
    """Two letters at least stay before and three after; no capitals, digits, addresses, compounds; own signs win."""
    assert shown.split("|") == parts(word, language)


def test_hyphenation_prints_hyphens() -> None:
    """Where a line would stay bare, and never in the last word of a paragraph."""
    text = "The extraordinary neighbourhood of extraordinary"
    width = wide("The extraordinxx")

    assert ["The", "extraordinary", "neighbourhood", "of extraordinary"] == lines(text, width)
    assert ["The extraordin-", "ary neighbour-", "hood of", "extraordinary"] == lines(text, width, "en")


def test_a_language_that_cannot_be_hyphenated_is_told(tmp_path: Path) -> None:
    """With the nearest that can."""
    box = with_words('<textbox name="t" width="50" height="9" hyphenate="en-UK">a</textbox>')
    (problem,) = face_problems(write_game(tmp_path / "tiny", faces__plain_svg_j2=box))

    assert 't: hyphenate="en-UK": there is no hyphenation for "en-UK"; did you mean "en' in problem


def test_thai_is_refused_since_it_has_no_hyphens(tmp_path: Path) -> None:
    """With what parts its words."""
    box = with_words('<textbox name="t" width="50" height="9" hyphenate="th-TH">a</textbox>')
    (problem,) = face_problems(write_game(tmp_path / "tiny", faces__plain_svg_j2=box))

    assert 'there is no hyphenation for "th-TH"; Thai is written without hyphens; write U+200B between words' in problem


@pytest.mark.slow("reads large dictionaries")
@pytest.mark.parametrize(("language", "word"), sorted(WORDS_OF_LANGUAGES.items()))
def test_every_language_that_is_accepted_breaks_its_words(language: str, word: str) -> None:
    """Otherwise lines stay bare and nobody finds out why. The word is independence, more or less."""
    assert language_fault(language) is None
    assert syllables(word, language)


@pytest.mark.slow("reads large dictionaries")
def test_every_language_is_tried_or_refused() -> None:
    """One of each, whatever its countries."""
    from pyphen import LANGUAGES

    accepted = {name for name in LANGUAGES if language_fault(name.replace("_", "-")) is None}

    assert {"sr-Latn" if name == "sr_Latn" else name.split("_")[0] for name in accepted} == WORDS_OF_LANGUAGES.keys()


@pytest.mark.slow("reads large dictionaries")
@pytest.mark.parametrize(
    ("text", "language", "shown"),
    [
        ("flaga biało-czerwona x", "pl", ["flaga biało-", "-czerwona x"]),
        ("flaga biało-**czerwona** x", "pl-PL", ["flaga biało-", "-czerwona x"]),
        ("abrir guarda-chuvas xx", "pt-BR", ["abrir guarda-", "-chuvas xx"]),
        ("flaga biało-czerwona x", "sl", ["flaga biało-", "czerwona x"]),
        ("flaga biało/czerwona x", "pl", ["flaga biało/", "czerwona x"]),
        ("flaga biało-czerwono-niebieska x", "pl", ["flaga biało-", "-czerwono-", "-niebieska x"]),
    ],
)
def test_some_languages_repeat_the_hyphen_of_a_compound(text: str, language: str, shown: list[str]) -> None:
    """Where the next line begins, which is as much wider; nothing is repeated within a line."""
    plain = text.replace("**", "")

    assert shown == lines(text, max(map(wide, shown)) + 0.8, language)
    assert [plain] == lines(text, wide(plain) + 9, language)


def test_a_font_without_hyphens_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """Before a line wants one."""
    sans = find_font(SANS)
    assert sans is not None
    cut = read_font("Bare", lettered(sans, "a ", ()))
    monkeypatch.setattr("grimalkin.printing.type.shaping.find_font", lambda name: cut)
    with pytest.raises(MissingGlyph, match="the font Bare has no character '-'"):
        words_of_pieces((Piece("Bare", "aa\u00adaa"),))


# Last lines


def test_no_short_line_is_left_at_the_end() -> None:
    """The lines of a paragraph are made alike in width where the last would be below a fifth, at no more lines."""
    text = "mm mm mm mm " * 3 + "i i"
    greedy = wide("mm mm mm mm ")

    assert ["mm mm mm mm"] * 3 + ["i i"] != (rows := lines(text, greedy))
    assert 4 == len(rows)
    assert rows[-1].endswith("mm i i")
    assert ["mm mm mm mm"] * 3 + ["mm i i"] == lines("mm mm mm mm " * 3 + "mm i i", greedy)


def test_justified_paragraphs_do_not_end_short_either() -> None:
    """Their lines are made no narrower than they must be; a single word may stand alone when it is long enough."""
    row = wide("mm mm mm mm mm mm ")

    assert ["mm mm mm mm mm mm"] * 2 + ["mm mm mm i"] == lines("mm " * 15 + "i", row, justify=True)
    assert ["mm mm mm mm mm", "mm mm mm mm mm", "mm mm i"] == lines("mm " * 12 + "i", row, justify=True)
    assert ["mm mm mm mm mm mm", "mmmmmm"] == lines("mm " * 6 + "mmmmmm", row, justify=True)


def test_lines_set_left_are_filled() -> None:
    """They become no narrower than a last line of a fifth of the box needs; a word may stand alone in it."""
    row = wide("mm mm mm mm mm mm ")

    assert ["mm mm mm mm", "mm mm"] == lines("mm " * 6, wide("mm mm mm mm "), flush=True)
    assert ["mm mm mm mm mm mm", "mmmm"] == lines("mm " * 6 + "mmmm", row, flush=True)
    # "mm i" would be 19 % of the box.
    assert ["mm mm mm mm", "mm mm i"] == lines("mm " * 6 + "i", row, flush=True)
    assert ["mm mm mm", "mm mm mm"] == lines("mm " * 6, wide("mm mm mm mm "), flush=True, balance=True)


def test_a_title_is_balanced_when_it_asks() -> None:
    """All its lines are alike; as many as before, and of the same size."""
    text = "mm mm mm mm mm mm mm mm mm"

    assert ["mm mm mm mm mm", "mm mm mm mm"] == lines(text, wide("mm mm mm mm mm mm"), balance=True)
    assert ["mm mm mm mm mm mm", "mm mm mm"] == lines(text, wide("mm mm mm mm mm mm"))
    assert ["mm"] == lines("mm", 50, balance=True)


def test_no_word_is_broken_to_balance_lines() -> None:
    """Its hyphens are for need alone."""
    assert ["mm mm mm", "well-known"] == lines("mm mm mm well-known", wide("mm mm mm well"), balance=True)
    assert ["mm mmmm", "motherless i motherless"] == lines(
        "mm mmmm moth\u00aderless i moth\u00aderless", 39.9, balance=True
    )


# Justified lines


def texts_of(tmp_path: Path, box: str) -> list[tuple[float, str, float]]:
    """x, text and word spacing of each text of a face with one text box."""
    problems = Problems()
    game = load_game(write_game(tmp_path / "tiny", faces__plain_svg_j2=with_words(box)), problems)
    assert game is not None
    face = compose(game, problems)["mouse-front"]
    assert not problems, list(problems)
    found = [one for one in face.root.iter("{*}text") if one.get("font-family") in (SANS, f"{SANS}Bold")]
    return [(float(one.get("x", "")), str(one.text), float(one.get("word-spacing", "0"))) for one in found]


def test_justified_lines_fill_their_box(tmp_path: Path) -> None:
    """By wider spaces, but for the last of each paragraph and before a written break."""
    words = "mm mm mm mm mm mm mm\nmm mm mm mm mm\n\nmm mm mm mm mm"
    width = wide("mm mm mm mm mm") + 1
    found = texts_of(tmp_path, f'<textbox x="2" width="{width}" height="60" align="justify">{words}</textbox>')

    assert ["mm mm mm mm mm ", "mm mm ", "mm mm mm mm mm ", "mm mm mm mm mm"] == [text for _, text, _ in found]
    assert [0.25, 0, 0, 0] == pytest.approx([wider for *_, wider in found], abs=0.002)
    assert {2.0} == {x for x, *_ in found}


def test_a_justified_line_with_icons_and_fonts_fills_its_box(tmp_path: Path) -> None:
    """What follows is moved by the wider spaces before it; spaces that do not break are as wide as the others."""
    width = wide("mm") + wide("mm") + text_width(f"{SANS}Bold", "mm mm") * EM + EM + 4 * SPACE * EM + 1.2
    words = "mm :paw: **mm mm** \u00a0mm mmmmm mmmmm"
    found = texts_of(tmp_path, f'<textbox width="{width}" height="60" align="justify">{words}</textbox>')
    line = found[:3]

    assert ["mm ", "mm mm ", "\u00a0mm "] == [text for _, text, _ in line]

    wider = line[1][2]
    plain = wide("mm") + EM + 2 * SPACE * EM

    assert 0.15 < wider < 0.35
    assert line[1][0] == pytest.approx(plain + 2 * wider, abs=0.01)
    assert width == pytest.approx(line[2][0] + text_width(SANS, "\u00a0mm") * EM + wider, abs=0.01)


def test_a_line_that_lacks_too_much_is_left_as_it_is(tmp_path: Path) -> None:
    """Spaces grow by half an em at the most."""
    for more, filled in ((-0.05, True), (0.05, False)):
        width = wide("mmmmmm mmmmmm") + WIDEST * EM + more
        box = f'<textbox width="{width}" height="60" align="justify">mmmmmm mmmmmm mmmmmm mm mm</textbox>'
        first = texts_of(tmp_path / str(more), box)[0]

        assert "mmmmmm mmmmmm " == first[1]
        assert filled is (first[2] > 0)


# Texts of strangers


@pytest.mark.slow("sets long texts")
@pytest.mark.parametrize("language", ["", "en"])
@pytest.mark.parametrize(
    "text",
    [
        "a" * 20_000,
        "-" * 20_000,
        "ab-" * 6_600,
        "ab\u00ad" * 6_600,
        "ab\u200b" * 6_600,
        "\u00ad" * 20_000,
        "a—" * 10_000,
        "– " * 10_000,
        "« " * 10_000,
        "a\u2060 " * 6_600,
        "**ab**-*cd*-" * 1_600,
        ("abc\u00ad" * 49 + " ") * 100,
        ":paw:" * 4_000,
        "extraordinary" * 1_500,
    ],
    ids=lambda text: repr(text[:8]),
)
def test_a_long_text_is_broken_at_once(tmp_path: Path, text: str, language: str) -> None:
    """Or told, in a time that grows with its length alone."""
    asked = f'hyphenate="{language}"' if language else ""
    box = f'<textbox name="t" width="50" height="50" size="20" wrap="balance" {asked}>{text}</textbox>'
    game = write_game(tmp_path / "tiny", faces__plain_svg_j2=with_words(box))
    with no_hang():
        problems = face_problems(game)

    assert not problems or "does not fit into 50 × 50 mm at 6.5 pt" in problems[0]
