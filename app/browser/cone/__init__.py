"""The picture of the cone: sentences as points on spheres, whose pairs are followed across them."""
