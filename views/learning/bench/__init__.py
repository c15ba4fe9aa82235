"""Views of a model without some of its parts."""
