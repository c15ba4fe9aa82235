"""Pictures of training, of what came before attention, and of cost."""
