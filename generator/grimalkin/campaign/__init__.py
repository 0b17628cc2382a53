"""Campaigns as files: a file in, the party's current state out; after each change, the file is rewritten.

`going` replays a file and goes on from there, `file` reads and writes, and `migrate` accepts files of older formats.
"""

from grimalkin.campaign.going import Going, Past, begun, follow

__all__ = ["Going", "Past", "begun", "follow"]
