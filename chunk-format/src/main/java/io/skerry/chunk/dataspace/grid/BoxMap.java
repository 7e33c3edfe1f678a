package io.skerry.chunk.dataspace.grid;

/**
 * Maps the values of a box to their positions among the values of an enclosing box, which is the
 * entire selection. The positions are computed, not stored in a list.
 *
 * @param runs positions of the values of the inner box among those of the outer one
 */
record BoxMap(BoxRuns runs) implements ValueMap {
  @Override
  public int pieces() {
    return runs.count();
  }

  @Override
  public long rank(int piece) {
    return piece * runs.length();
  }

  @Override
  public long place(int piece) {
    return runs.start(piece);
  }

  @Override
  public long length(int piece) {
    return runs.length();
  }

  @Override
  public long places() {
    return runs.count() * runs.length();
  }
}
