"""Campaigns as files: a file in, the party's current state out. The file is rewritten after each change.

`going` replays a file and continues from there, `file` reads and writes, and `migrate` accepts files of older formats.
"""

from grimalkin.play.campaign.going import Going, Past, begun, follow

__all__ = ["Going", "Past", "begun", "follow"]
