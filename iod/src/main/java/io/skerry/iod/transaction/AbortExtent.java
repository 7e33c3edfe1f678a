package io.skerry.iod.transaction;

/** The transactions that a request aborts. */
public enum AbortExtent {
  /** The given transaction. */
  ONE,
  /** The given transaction, and all higher ones that have been started. */
  AND_HIGHER
}
