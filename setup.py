"""The packages, found in their folders; three have a shorter name here than when installed."""

from setuptools import find_packages, setup

HOMES = {
    "bertflow_core": "bertflow_core",
    "bertflow_app": "app",
    "bertflow_benchmarks": "benchmarks",
    "bertflow_data": "data",
}

setup(
    packages=[
        ".".join((package, *below))
        for package, folder in HOMES.items()
        for below in ([], *([name] for name in find_packages(folder)))
    ],
    package_dir=HOMES,
)
