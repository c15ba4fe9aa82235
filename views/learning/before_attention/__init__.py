"""Views of the time before attention: recurrent networks beside transformers."""
