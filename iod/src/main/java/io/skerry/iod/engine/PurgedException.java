package io.skerry.iod.engine;

import io.skerry.chunk.text.PrintableText;

/** Thrown if a read names a transaction whose versions may have been purged. */
public final class PurgedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String container;
  private final int shard;
  private final long transaction;
  private final long oldest;

  /**
   * Creates an exception.
   *
   * @param container the location of the container
   * @param shard the number of the shard
   * @param transaction the transaction of the read
   * @param oldest the oldest transaction that can be read
   */
  public PurgedException(String container, int shard, long transaction, long oldest) {
    super(
        PrintableText.message(
            "the transaction has been purged: expected=at least "
                + oldest
                + " actual="
                + transaction
                + " container="
                + container
                + " shard="
                + shard));
    this.container = container;
    this.shard = shard;
    this.transaction = transaction;
    this.oldest = oldest;
  }

  /** Returns the location of the container. */
  public String container() {
    return container;
  }

  /** Returns the number of the shard. */
  public int shard() {
    return shard;
  }

  /** Returns the transaction of the read. */
  public long transaction() {
    return transaction;
  }

  /** Returns the oldest transaction that can be read. */
  public long oldest() {
    return oldest;
  }
}
