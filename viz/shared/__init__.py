"""Tools for the figures of several sections: style, tokens, and bytes for components."""
