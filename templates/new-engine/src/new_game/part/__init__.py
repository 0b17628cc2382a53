"""What this game adds to Grimalkin beyond its rules: a page of the site (`pages`) and a command (`cli`)."""
