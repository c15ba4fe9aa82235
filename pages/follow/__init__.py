"""What a class that follows gets: pictures of the presenter's views, and a light page that shows them."""
