"""The views by the names of their pages, each as a class that a notebook calls with a run and choices.

`live_view.py` has the base of all, `of_head.py` that of the views of one head. Each other module is a page.
"""
