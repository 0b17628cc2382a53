"""What this game brings to the floors of Grimalkin besides its rules: a page of the site (`pages`), a command (`cli`)."""
