"""The live picture of a flow on the plane, and the pad to draw its points, drawn in the browser."""
