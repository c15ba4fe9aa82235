"""Pictures: arrays and labels in, a Plotly or Matplotlib figure or bytes out. No torch, no Streamlit, no network."""
