"""What a study says: rows and columns in five forms, and how a study is declared."""
