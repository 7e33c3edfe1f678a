package io.skerry.chunk.dataspace.grid;

/**
 * The values of a box inside the box that is the whole selection: nothing has to be listed.
 *
 * @param runs where the values of the one stand among those of the other
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
