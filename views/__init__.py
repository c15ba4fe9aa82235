"""Views: what each part of a page says of one run, as values. No Streamlit, and nothing of a session.

Read `view.py`, then `parts.py`: a view is made of parts, and whoever shows it draws them. The app does
(`pages.shared.elements.renderer`), and so do saved pages, pictures, hand-outs and the pages of a class.
"""
