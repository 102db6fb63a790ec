"""Studies: one question of the user in each folder, from its recipe to its report."""
