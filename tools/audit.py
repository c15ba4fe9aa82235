"""Asks for known vulnerabilities of the versions that the app installs: `make audit`.

It asks PyPI, and where PyPI gives no data, OSV. The exit code is 0 if every package was looked up and has none known, 1
if one has, and 2 if one could not be looked up: then nothing is known of it, good or bad.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tools.licences import pinned

LISTS = ("requirements.txt", "requirements.lock", "requirements-models.txt")
SERVICES = {"pypi": "https://pypi.org", "osv": "https://api.osv.dev"}  # as pip-audit names them
CLEAN, VULNERABLE, UNKNOWN = range(3)  # exit codes
WHAT_TO_DO = f"""\
Run `make audit` where {" or ".join(SERVICES.values())} can be reached. HTTPS_PROXY names a proxy.
An index of one's own, such as a mirror, often has the packages without this data. The audit reads
nothing but {", ".join(LISTS)}.
So a copy of the project on another machine will do.
"""


@dataclass
class Report:
    """What a service knows. `reason` is the last thing that pip-audit said if the service gave no data at all."""

    found: list[str] = field(default_factory=list)  # a line for each vulnerability
    unknown: list[str] = field(default_factory=list)  # packages that could not be looked up
    count: int = 0  # of the packages that were looked up
    reason: str = ""


def ask(service: str, packages: dict[str, str]) -> Report:
    with tempfile.TemporaryDirectory() as folder:
        listed, answer = Path(folder) / "packages.txt", Path(folder) / "answer.json"
        listed.write_text("".join(f"{name}=={version}\n" for name, version in packages.items()), encoding="utf-8")
        options = ["--disable-pip", "--no-deps", "--progress-spinner", "off", "--vulnerability-service", service]
        command = [sys.executable, "-m", "pip_audit", *options, "-r", str(listed), "-f", "json", "-o", str(answer)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if not answer.exists():
            return Report(unknown=list(packages), reason=(done.stderr.strip().splitlines() or ["It said nothing."])[-1])
        return read_answer(json.loads(answer.read_text(encoding="utf-8")))


def read_answer(answer: dict[str, Any]) -> Report:
    """The report in pip-audit's JSON."""
    report = Report()
    for package in answer["dependencies"]:
        if "skip_reason" in package:
            report.unknown.append(package["name"])
            report.reason = package["skip_reason"]
            continue
        report.count += 1
        for each in package["vulns"]:
            mended = " or ".join(each["fix_versions"]) or "no version yet"
            report.found.append(f"{package['name']} {package['version']}: {each['id']}, mended in {mended}")
    return report


def main() -> int:
    packages = {name: version for file in LISTS for name, version in pinned(file).items()}
    reports = []
    for service, address in SERVICES.items():
        report = ask(service, packages)
        reports.append(report)
        if report.count:
            return tell(report, address)
    print("No data about known vulnerabilities could be reached. So nothing is known of these packages, good or bad.\n")
    for address, report in zip(SERVICES.values(), reports, strict=True):
        print(f"{address}: {report.reason}")
    print(f"\n{WHAT_TO_DO}", end="")
    return UNKNOWN


def tell(report: Report, address: str) -> int:
    """Prints what a service knows. The exit code."""
    if report.found:
        print(f"Known vulnerabilities, by {address}:", *report.found, sep="\n")
        print("\nRaise these versions in requirements.txt, or run `make lock UPGRADE=--upgrade`. Then run `make test`.")
    if report.unknown:
        print(f"{address} does not know {', '.join(report.unknown)}. So nothing is known of them, good or bad.")
    if not report.found and not report.unknown:
        print(f"{address} knows of no vulnerability of the {report.count} packages.")
    return VULNERABLE if report.found else UNKNOWN if report.unknown else CLEAN


if __name__ == "__main__":
    sys.exit(main())
