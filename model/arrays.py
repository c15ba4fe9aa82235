"""The type of a NumPy array in annotations. The docstring or comment beside it says the shape."""

from typing import Any

from numpy.typing import NDArray

Array = NDArray[Any]
