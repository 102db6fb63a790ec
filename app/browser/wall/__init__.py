"""The wall's canvas: linked scatter panes of the same rows, drawn and brushed in the browser."""
