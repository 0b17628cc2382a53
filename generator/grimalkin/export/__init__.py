"""Faces in, files for others out: pictures, vector files, a virtual table, print services, a print shop.

Every kind of export is one function that writes into an empty folder; the caller brings the folder in when it is whole.
"""
