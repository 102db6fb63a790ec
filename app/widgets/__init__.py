"""What at least two pages share: tables, downloads, pickers, neighbours."""
