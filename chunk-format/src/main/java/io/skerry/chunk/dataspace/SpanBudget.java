package io.skerry.chunk.dataspace;

/**
 * A limit on the number of spans that a computation may build. The blocks of a damaged list can
 * cross each other so often that the number of spans in their union is quadratic in the number of
 * blocks. A budget stops such a computation early.
 */
public final class SpanBudget {
  private final long most;
  private long spent;

  private SpanBudget(long most) {
    this.most = most;
  }

  /** Returns an unlimited budget. */
  public static SpanBudget none() {
    return new SpanBudget(Long.MAX_VALUE);
  }

  public static SpanBudget of(long most) {
    return new SpanBudget(most);
  }

  /**
   * Counts the spans of a new node.
   *
   * @return the node
   * @throws Exhausted if the number of spans exceeds the limit
   */
  SpanTree charge(SpanTree node) {
    spent += node.spans();
    if (spent > most) {
      throw new Exhausted(spent);
    }
    return node;
  }

  /** Returns the number of spans built so far, a measure of the work done. */
  public long spent() {
    return spent;
  }

  /** Thrown if a computation builds more spans than its budget allows. */
  public static final class Exhausted extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final long spent;

    Exhausted(long spent) {
      super("too many spans: built=" + spent);
      this.spent = spent;
    }

    public long spent() {
      return spent;
    }
  }
}
