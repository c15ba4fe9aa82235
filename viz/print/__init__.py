"""Figures for print, by Matplotlib, and the files that hold them."""
