"""The app's pictures as widgets of a notebook: the wall, and the flow on the plane."""
