"""Access to the machine: devices, files, the hub, progress reports, deferred imports."""
