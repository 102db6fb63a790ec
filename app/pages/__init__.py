"""The pages: each draws its choices, asks a service for a result and shows it."""
