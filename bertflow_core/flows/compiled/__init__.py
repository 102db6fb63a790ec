"""The default flow and its variants in compiled code, for the CPU: fitted and applied."""
