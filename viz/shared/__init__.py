"""What figures of several sections use: style, tokens, bytes for components."""
