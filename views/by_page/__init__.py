"""The views by the names of their pages, each as a class that a notebook calls with a run and choices.

`live_view.py` has the base of all, `of_run.py`, `of_layer.py` and `of_head.py` have those of views of a run. `find.py`
finds the class of a part, `written.py` writes its code. Each other module is a page.
"""
