"""The pages: each draws its choices, asks for a job's result and shows it."""
