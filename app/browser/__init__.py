"""What is drawn in the browser, in JavaScript with its Python side."""
