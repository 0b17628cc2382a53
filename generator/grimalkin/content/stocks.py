"""Stocks and papers: what is cut, and what it is printed on. Data, so that a designer adds one with a few lines."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from pydantic import Field, model_validator

from grimalkin.content.checked import M, checked
from grimalkin.content.models import Line, Model
from grimalkin.problems import Problems
from grimalkin.source import data_folder, read_yaml


class Stock(Model):
    """The size and shape of a piece once it is cut. Millimetres."""

    name: Line
    shape: Literal["rectangle", "circle"]
    width: float = Field(gt=0, le=2000, allow_inf_nan=False)
    height: float = Field(gt=0, le=2000, allow_inf_nan=False)
    corner: float = Field(0, ge=0, le=1000, description="Radius of rounded corners.")
    bleed: float = Field(3, ge=0, le=100, description="How far art goes on beyond the cut.")
    safe: float = Field(3, ge=0, le=100, description="How far text and symbols stay inside the cut.")
    source: Line | None = None

    @model_validator(mode="after")
    def shape_can_be_cut(self) -> Stock:
        if self.shape == "circle" and self.width != self.height:
            raise ValueError("a circle is as wide as it is high")
        if self.corner > min(self.width, self.height) / 2:
            raise ValueError("the corners are rounder than the piece is wide")
        return self


class Paper(Model):
    """A sheet of paper, upright. Millimetres."""

    name: Line
    width: float = Field(gt=0, le=2000, allow_inf_nan=False)
    height: float = Field(gt=0, le=2000, allow_inf_nan=False)
    margin: float = Field(10, ge=0, le=100, description="What a home printer may leave white on each side.")
    source: Line | None = None


def load_stocks(folder: Path | None, problems: Problems) -> dict[str, Stock]:
    """The shared stocks, and those of a game's own `stocks` folder."""
    return _load(Stock, "stocks", folder, problems)


def load_papers(folder: Path | None, problems: Problems) -> dict[str, Paper]:
    """The shared papers, and those of a game's own `papers` folder."""
    return _load(Paper, "papers", folder, problems)


def _load(model: type[M], kind: str, folder: Path | None, problems: Problems) -> dict[str, M]:
    found: dict[str, M] = {}
    for place in (data_folder("templates"), *([folder] if folder else [])):
        for path in sorted((place / kind).glob("*.yaml")):
            source = read_yaml(path, problems)
            value = checked(model, source.data, source, problems) if source else None
            if value is not None:
                found[path.stem] = value
    return found
