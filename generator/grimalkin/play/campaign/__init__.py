"""Campaigns as files: a file in, the party's current state out. The file is rewritten after each change.

`progress` replays a file and continues from there, `file` reads and writes it, and `paper` fills and reads forms.
"""

from grimalkin.play.campaign.progress import Going, Past, begun, follow

__all__ = ["Going", "Past", "begun", "follow"]
