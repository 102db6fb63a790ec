"""`python -m bertflow_core` is the command `bertflow-lab`."""

from bertflow_core.cli.main import main

main()
