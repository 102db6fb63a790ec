"""Elements that at least two pages share: choices, tables, neighbours, progress."""
