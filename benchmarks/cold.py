"""Run a command as a process of its own: seconds, seconds of CPU and the peak of its memory, as JSON.

A process inherits the peak of whoever started it, so the starter must be small: python -I -S benchmarks/cold.py ...
"""

import json
import os
import sys
import time

begin = time.perf_counter()
quiet = [(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)]
child = os.posix_spawn(sys.argv[1], sys.argv[1:], os.environ, file_actions=quiet)
_, status, usage = os.wait4(child, 0)
seconds = time.perf_counter() - begin
scale = 1 if sys.platform == "darwin" else 1024
cpu = usage.ru_utime + usage.ru_stime
print(json.dumps({"seconds": seconds, "cpu": cpu, "peak": usage.ru_maxrss * scale / 1e6, "code": status}))
