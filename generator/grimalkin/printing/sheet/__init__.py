"""Lay out pieces of any stocks on a paper as Sheets, and draw them to a PDF.

A *sheet* is one side of a leaf: slots with faces, marks outside their trim, and a label that identifies the
sheet and explains how to print it. Fronts and backs meet by construction.
"""
