"""The benchmarks. Each process that runs one keeps freed memory, as the app does.

Models compute on the CPU, as those that they are compared with do. `device` asks for the GPU by its name.
"""

import os

from model.process_memory import keep_freed_memory

keep_freed_memory()
os.environ["GLASSFORMER_DEVICE"] = "cpu"
