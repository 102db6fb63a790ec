"""The page `Inside the flow`."""
