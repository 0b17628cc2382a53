"""The output folder: written completely or not at all, recorded, and left alone if nothing has changed.

`printout` makes the printable files of one game, and `records` notes how they look; `swap` replaces old output under a
journal, and `unchanged` finds what need not be made again. All of them write through `disk`.
"""
