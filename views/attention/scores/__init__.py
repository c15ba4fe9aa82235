"""Views of Scores: the steps of one head, and why each is there."""
