"""JSON Schemas for every content file, so that editors can complete and check them while you type."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from grimalkin.content import filenames
from grimalkin.content.cutters import CutterTemplate
from grimalkin.content.game import Game
from grimalkin.content.label_sheets import LabelSheet
from grimalkin.content.models import Drawn, listed_model, row_model
from grimalkin.content.rules import ExamplesFile, Playthrough
from grimalkin.content.scenarios import Scenario
from grimalkin.content.shops import Shop
from grimalkin.content.stocks import Paper, Stock
from grimalkin.content.values import Model
from grimalkin.engine.campaigns import find_campaign
from grimalkin.engine.expected import facts_shape
from grimalkin.engine.pictures import WISHES
from grimalkin.engine.saved import saved_shape
from grimalkin.floors import having

IN_FOLDERS: dict[str, type[Model]] = {"playthrough": Playthrough, "scenario": Scenario}
"""The YAML files of which a folder may hold any number."""
DRAFT = "https://json-schema.org/draft/2020-12/schema"


def every_file() -> dict[str, type[Model]]:
    """Return the YAML files of a game, by the name of their schema."""
    brought = {name: model for part in having("content", "IN_FOLDERS") for name, model in part.IN_FOLDERS.items()}
    return _files_with_lists() | IN_FOLDERS | brought


def _files_with_lists() -> dict[str, type[Model]]:
    single = {name.removesuffix(".yaml"): model for name, model in filenames.every_file().items()}
    return single | {"examples": ExamplesFile}


def schemas(games: Mapping[str, Game]) -> dict[str, str]:
    """Return JSON Schemas by file name: of YAML files, tables of decks, and engines' positions and campaigns."""
    made: dict[str, dict[str, Any]] = {"campaign": {"title": "Grimalkin campaign"} | saved_shape().schema()}
    lists = _files_with_lists()
    shared: dict[str, type[Model]] = {"stock": Stock, "paper": Paper, "cutter": CutterTemplate, "shop": Shop}
    models: dict[str, type[Model]] = {**every_file(), **shared, "labels": LabelSheet}
    for name, model in models.items():
        schema = model.model_json_schema(by_alias=True)
        if "expect" in json.dumps(schema):
            _use_facts(schema)
        if "picture" in schema.get("$defs", {}).get("Example", {}).get("properties", {}):
            schema["$defs"]["Example"]["properties"]["picture"] = WISHES.schema()
        title = f"Grimalkin {name} file" if name in lists else f"Grimalkin {name}"
        made[name] = {"title": title} | _written_as_text(schema)
    for name, game in games.items():
        for table in (*game.info.decks, *game.info.books, *game.info.lists):
            row = row_model(table) if isinstance(table, Drawn) else listed_model(table)
            title = f"{game.info.title}: a row of {table.file}"
            made[f"{name}.{table.id}"] = _written_as_text(row.model_json_schema(by_alias=True)) | {"title": title}
        if game.module is not None:
            position = game.module.position_shape(game.facts).schema()
            made[f"{name}.position"] = {"title": f"{game.info.title}: a position"} | position
        if find_campaign(game.module) is not None:
            saved = saved_shape(game.module, game.facts).schema()
            made[f"{name}.campaign"] = {"title": f"{game.info.title}: a campaign"} | saved
    return {
        f"{name}.json": json.dumps({"$schema": DRAFT} | schema, indent=2, ensure_ascii=False) + "\n"
        for name, schema in sorted(made.items())
    }


def _use_facts(schema: dict[str, Any]) -> None:
    """Replace `expect`, which the models leave open, with the facts that the engine knows."""
    schema.setdefault("$defs", {})["Facts"] = facts_shape().schema()
    for place in (schema, *schema["$defs"].values()):
        if "expect" in place.get("properties", {}):
            place["properties"]["expect"] = {"$ref": "#/$defs/Facts"}


def _written_as_text(schema: Any) -> Any:
    """Allow `yes` and `no` for booleans: YAML passes them on as text."""
    if isinstance(schema, dict):
        changed = {key: _written_as_text(value) for key, value in schema.items()}
        if changed.get("type") == "boolean":
            del changed["type"]
            changed["enum"] = ["yes", "no", True, False]
            changed.pop("default", None)
        return changed
    if isinstance(schema, list):
        return [_written_as_text(item) for item in schema]
    return schema
