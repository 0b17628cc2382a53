"""Campaigns as files: a text file in, the party as it stands out; what happens next in, the file written anew.

`going` plays what a file says and goes on from there, `file` reads and writes, `migrate` takes files of older formats.
"""

from grimalkin.campaign.going import Going, Past, begun, follow

__all__ = ["Going", "Past", "begun", "follow"]
