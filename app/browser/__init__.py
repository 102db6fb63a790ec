"""What is drawn in the browser: the wall and the flow view, in JavaScript with its Python side."""
