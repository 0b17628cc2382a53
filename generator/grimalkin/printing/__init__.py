"""Print: lay out faces, draw them, put them on sheets and in books, check them before printing, and export them."""
