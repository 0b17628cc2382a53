"""Draw the SVG on standard input as a PNG on standard output, in a separate process that the caller can stop."""

from __future__ import annotations

import sys

import resvg_py

if __name__ == "__main__":
    svg = sys.stdin.buffer.read().decode()
    sys.stdout.buffer.write(bytes(resvg_py.svg_to_bytes(svg_string=svg, skip_system_fonts=True, dpi=96)))
