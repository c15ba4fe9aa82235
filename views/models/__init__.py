"""Predict, Why this word, Translate, Classify and See: a room for each page."""
