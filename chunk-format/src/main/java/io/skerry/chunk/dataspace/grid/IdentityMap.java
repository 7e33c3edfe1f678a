package io.skerry.chunk.dataspace.grid;

/**
 * All values of the selection, in element order: it lies in one chunk.
 *
 * @param places how many
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
