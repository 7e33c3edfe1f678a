package io.skerry.integration.scale;

/**
 * The messages that one rank has sent or received.
 *
 * @param messages the number of messages
 * @param bytes the number of bytes in them
 */
public record Traffic(long messages, long bytes) {
  static final Traffic NONE = new Traffic(0, 0);

  Traffic and(long more) {
    return new Traffic(messages + 1, bytes + more);
  }

  /** Returns the traffic since an earlier count. */
  public Traffic since(Traffic earlier) {
    return new Traffic(messages - earlier.messages, bytes - earlier.bytes);
  }
}
