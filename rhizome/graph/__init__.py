"""Notes as text, their links with reasons, and the graph they make. Import its modules by name."""
