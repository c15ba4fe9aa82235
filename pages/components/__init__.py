"""Mounts of the browser's components."""
