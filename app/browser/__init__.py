"""Pictures that the browser draws: the JavaScript, and the Python code that calls it."""
