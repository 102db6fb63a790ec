"""Where does the cone come from: the first token, a few coordinates, or the mean?"""
