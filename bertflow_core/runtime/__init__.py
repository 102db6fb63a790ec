"""What the machine gives: devices, files, the hub, progress, late imports."""
