"""Words or meaning: similarity against edit distance (Table 6 and Figure 2)."""
