"""How the dashboard is served: its entry, its guards and limits."""
