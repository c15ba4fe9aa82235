"""What views of several pages use: quotations, sums with their numbers, tables of matrices, sources."""
