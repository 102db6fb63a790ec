"""The paper's tables and figures made again, beside what was printed."""
