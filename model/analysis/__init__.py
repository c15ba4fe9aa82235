"""Reading a run: measures, steps and stories made from recorded tensors."""
