"""The guided tour: questions about a space; `steps.toml` declares which study answers each."""
