"""How well memory answers: questions with known answers, what a run gave for them, and what that is worth. All pure."""
