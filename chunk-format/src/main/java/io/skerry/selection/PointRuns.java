package io.skerry.selection;

/** The points of a list, in the order of the list, each as a run of one element. */
final class PointRuns implements RunSource {
  private final PointList points;
  private final long[] under;
  private int point = -1;

  PointRuns(PointList points, Shape extent) {
    this.points = points;
    this.under = extent.steps();
  }

  @Override
  public boolean advance() {
    return ++point < points.size();
  }

  @Override
  public long offset() {
    long offset = 0;
    for (int d = 0; d < under.length; d++) {
      offset += points.coordinate(point, d) * under[d];
    }
    return offset;
  }

  @Override
  public long length() {
    return 1;
  }

  @Override
  public void restart() {
    point = -1;
  }
}
