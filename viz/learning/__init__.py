"""Pictures of training, of networks before attention, and of cost."""
