"""What the machine provides: devices, files, the hub, progress, late imports."""
