"""Predict, Translate, Classify and See: a room for each page."""
