package io.skerry.chunk.dataspace.grid;

/**
 * The mapping for a selection within a single chunk whose values are in element order.
 *
 * @param places number of values
 */
record IdentityMap(long places) implements ValueMap {
  @Override
  public int pieces() {
    return 1;
  }

  @Override
  public long rank(int piece) {
    return 0;
  }

  @Override
  public long place(int piece) {
    return 0;
  }

  @Override
  public long length(int piece) {
    return places;
  }
}
