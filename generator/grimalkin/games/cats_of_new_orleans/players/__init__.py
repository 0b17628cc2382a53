"""The players' side: bots with their judgement, and what players look up beside the rules.

`bots` choose among `plans` by their `judgement` of the table and by `cardplay`, and go `shopping` on the Riverboat.
`odds` are exact, computed from the `outcomes` of draws. For pages: `pictures` of positions, the
`set_up` of a scenario, the `habits` of foes in words, and reference tables (`cribs`).

No rule is here, and no rule imports these modules.
"""
