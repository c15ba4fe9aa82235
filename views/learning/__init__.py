"""Views of training, of the time before attention, of models without a part, and of cost."""
