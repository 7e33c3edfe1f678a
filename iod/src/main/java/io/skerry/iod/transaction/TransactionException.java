package io.skerry.iod.transaction;

import io.skerry.chunk.text.PrintableText;

/** Thrown if a request on a transaction or a read context is refused. */
public final class TransactionException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final Refusal refusal;

  /**
   * Creates an exception.
   *
   * @param refusal the reason
   * @param message a description of the refused request, with the expected and the actual state
   */
  public TransactionException(Refusal refusal, String message) {
    super(PrintableText.message(message));
    this.refusal = refusal;
  }

  /** Returns the reason. */
  public Refusal refusal() {
    return refusal;
  }
}
