"""Sheets of labels: data with the places of the labels, as their makers give them. A game may add its own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, model_validator

from grimalkin.content.stocks import Paper, Source, load_files
from grimalkin.content.values import Id, Length, Model, Name
from grimalkin.problems import Problems

Distance = Annotated[float, Field(ge=0, le=2000, allow_inf_nan=False)]
Count = Annotated[int, Field(ge=1, le=100)]
HAIR = 0.01
"""Millimetres by which neighbours may overlap: makers round their numbers."""


class LabelSheet(Model):
    """A sheet of labels of one size, in columns and rows. Lengths are millimetres from the upper left corner."""

    name: Name
    paper: Id = Field(description="The name of the paper.")
    shape: Literal["rectangle", "circle"] = Field("rectangle", description="The shape of a label.")
    width: Length
    height: Length
    columns: Count = Field(description="The number of labels side by side.")
    rows: Count = Field(description="The number of labels one above the other.")
    left: Distance = Field(description="The distance of the first label from the left edge of the paper.")
    top: Distance = Field(description="The distance of the first label from the top edge of the paper.")
    step_right: Length | None = Field(
        None, description="From the left edge of one label to that of the next; by default, labels touch."
    )
    step_down: Length | None = Field(
        None, description="From the top edge of one label to that of the next; by default, labels touch."
    )
    source: Source = None

    @model_validator(mode="after")
    def labels_are_apart(self) -> LabelSheet:
        if self.shape == "circle" and self.width != self.height:
            raise ValueError("a circle must be as wide as it is high")
        for key, step, size in (("step-right", self.step[0], self.width), ("step-down", self.step[1], self.height)):
            if step < size - HAIR:
                raise ValueError(f"{key} is {step:g} mm, so labels of {size:g} mm would overlap")
        return self

    @property
    def step(self) -> tuple[float, float]:
        """Return the steps to the right and down."""
        return self.step_right or self.width, self.step_down or self.height

    @property
    def count(self) -> int:
        return self.columns * self.rows

    @property
    def block(self) -> tuple[float, float, float, float]:
        """Return the left, top, right and bottom edges of all labels."""
        right, down = self.step
        return (
            self.left,
            self.top,
            self.left + (self.columns - 1) * right + self.width,
            self.top + (self.rows - 1) * down + self.height,
        )

    def places(self) -> Iterator[tuple[float, float]]:
        """Yield the left and upper edge of every label, along the rows."""
        right, down = self.step
        for row in range(self.rows):
            for column in range(self.columns):
                yield self.left + column * right, self.top + row * down

    def is_on(self, paper: Paper) -> bool:
        """Return whether all labels are on the paper."""
        _, _, right, foot = self.block
        return right <= paper.width + HAIR and foot <= paper.height + HAIR


def load_label_sheets(folder: Path | None, problems: Problems) -> dict[str, LabelSheet]:
    """Return the shared sheets of labels and those in a game's own `labels` folder, by name."""
    return load_files(LabelSheet, "labels", folder, problems)
