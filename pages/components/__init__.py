"""The browser components of assets/components, each as a function that puts it on a page."""
