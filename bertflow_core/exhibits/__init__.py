"""Exhibits: the wall, the tour, the site, typed sentences, and a fit recorded as it runs."""
