"""What a page showed, taken from the messages that it sent to the browser."""
