"""Read files into Sources: text with the place of every value. Nothing here knows what a game is.

`read_yaml` and `tables.read_table_file` never raise for what a user wrote: they return as much as they can read,
and add problems.
"""

from grimalkin.source.digest import content_fingerprint, files_digest, game_digest, looks_digest, short_digest
from grimalkin.source.files import files_below, files_in, is_inside, read_bytes
from grimalkin.source.game_folders import (
    all_games,
    bundled,
    bundled_games,
    data_folder,
    find_game_folder,
    is_installed,
    local_games,
    name_of,
)
from grimalkin.source.reading import At, Source, parse_yaml, read_text, read_yaml

__all__ = [
    "At",
    "Source",
    "all_games",
    "bundled",
    "bundled_games",
    "content_fingerprint",
    "data_folder",
    "files_below",
    "files_digest",
    "files_in",
    "find_game_folder",
    "game_digest",
    "is_inside",
    "is_installed",
    "local_games",
    "looks_digest",
    "name_of",
    "parse_yaml",
    "read_bytes",
    "read_text",
    "read_yaml",
    "short_digest",
]
