"""Export faces for use elsewhere: pictures, vector files, virtual tables, and orders for print services and shops.

Every kind of export is one function that writes into an empty folder; the caller moves the finished folder into place.
"""
