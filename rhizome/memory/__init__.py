"""The composition root: opens the parts of one home, offers the verbs, and holds nothing that the parts do not."""
