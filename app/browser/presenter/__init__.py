"""The presenter's view: answers with a show of hands, and the keys of a remote."""
