package io.skerry.iod.engine;

/** The point at which the preparation of a transaction is complete. */
public enum Durability {
  /** The changes are on disk: they survive a loss of power. */
  SYNCED,
  /**
   * The engine has received the changes: they survive the end of this process, but not a loss of
   * power before {@link Shard#persist}. The readable mark must not reach the transaction before
   * that call.
   */
  BUFFERED
}
