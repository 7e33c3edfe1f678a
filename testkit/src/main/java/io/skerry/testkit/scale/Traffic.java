package io.skerry.testkit.scale;

/**
 * What one rank sent.
 *
 * @param messages how many
 * @param bytes in them
 */
public record Traffic(long messages, long bytes) {
  static final Traffic NONE = new Traffic(0, 0);

  Traffic and(long more) {
    return new Traffic(messages + 1, bytes + more);
  }

  /** What was sent since an earlier moment. */
  public Traffic since(Traffic earlier) {
    return new Traffic(messages - earlier.messages, bytes - earlier.bytes);
  }
}
