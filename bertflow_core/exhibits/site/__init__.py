"""A site of static pages that teaches without an installation."""
