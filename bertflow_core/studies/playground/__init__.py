"""The playground: typed sentences among real ones, under several calibrators."""
