"""Questions of the user, one folder each: what decides the numbers, the measurement, the report."""
