"""Parts: what only some games have. Each is a package with a module for every floor that it brings something to.

`grimalkin.floors` finds them; the floors say what they expect: `site.pages.kinds` of `pages`, `cli` of `cli`,
`cli.answers` of `positions`, `cli.export` of `export`, `output.printout` of `printing`, and
`printing.export.tabletop` of `tabletop`.
"""
