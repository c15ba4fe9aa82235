"""The benchmarks. Each process that runs one keeps freed memory, as the app does."""

from model.process_memory import keep_freed_memory

keep_freed_memory()
