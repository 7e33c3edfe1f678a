package io.skerry.chunk.dataspace;

/**
 * How many spans a computation may build. Blocks in a damaged list can cross each other so often
 * that the set they make up has the square of their number of spans; whoever reads them gives up in
 * time.
 */
public final class SpanBudget {
  private final long most;
  private long spent;

  private SpanBudget(long most) {
    this.most = most;
  }

  /** As many as there is memory for. */
  public static SpanBudget none() {
    return new SpanBudget(Long.MAX_VALUE);
  }

  public static SpanBudget of(long most) {
    return new SpanBudget(most);
  }

  /**
   * Counts the spans of a node that has been built.
   *
   * @throws Exhausted if they are too many by now
   */
  SpanTree charge(SpanTree node) {
    spent += node.spans();
    if (spent > most) {
      throw new Exhausted(spent);
    }
    return node;
  }

  /** Number of spans built so far: the work that has been done. */
  public long spent() {
    return spent;
  }

  /** There are more spans than allowed. */
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
