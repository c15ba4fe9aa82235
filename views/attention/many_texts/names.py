"""The names that links and notebooks have for collections of texts."""

OWN, SMALL_WORLD = "glassformer", "small world"  # they come with the project
MINE = "mine"  # the reader's own, which no link has
