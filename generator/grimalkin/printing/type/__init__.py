"""Fonts, and texts set in them: words with their widths, where they may be broken, and lines of them.

Words are measured in the same way for all media. There are two ways to break a paragraph: `fit` fills a box on a face,
whose type may shrink, and `paragraphs` a column of a book, where the lines look best as a whole.
"""
