"""Notes in git: one write is one commit with the name of its call, and nobody's bytes are lost on the way."""
