"""Maps: each whole as one picture, with its letters, shapes and round track."""
