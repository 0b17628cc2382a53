"""The folder that everything is written to: made whole or not at all, recorded, and left alone when nothing changed.

`printout` makes what is to be printed of one game and `records` notes how it looks; `swap` puts new output in the
place of the old under a journal, and `unchanged` knows what need not be made again. All of them write through `disk`.
"""
