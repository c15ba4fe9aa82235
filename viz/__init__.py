"""Pictures: arrays and labels in, a figure or bytes out. No torch, no Streamlit, no network."""
