"""The cone: angles of sentences to their mean, and agreement with people, before and after."""
