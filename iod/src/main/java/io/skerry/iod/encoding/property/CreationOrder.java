package io.skerry.iod.encoding.property;

import io.skerry.AttributeOrder;
import io.skerry.LinkOrder;
import io.skerry.chunk.bytes.ByteReader;

/** The tracking of the creation order of links or attributes: none, stored, or with an index. */
public enum CreationOrder {
  UNTRACKED(0),
  TRACKED(1),
  INDEXED(3);

  /** The encoding of the creation order of links: unsigned, bit 0 tracked, bit 1 indexed. */
  static final ValueCodec<CreationOrder> CODEC =
      ValueCodec.of(
          in -> ofBits(Scalars.UNSIGNED.decode(in), in),
          (order, out) -> Scalars.UNSIGNED.encode((long) order.bits, out));

  private final int bits;

  CreationOrder(int bits) {
    this.bits = bits;
  }

  /** Returns the bits: 0 tracked, 1 indexed. */
  int bits() {
    return bits;
  }

  static CreationOrder ofBits(long bits, ByteReader in) {
    for (CreationOrder order : values()) {
      if (order.bits == bits) {
        return order;
      }
    }
    throw in.fault("creation order bits", "0, 1 or 3", bits);
  }

  /**
   * Returns the value that Skerry uses for the links of groups that it creates in files. Local,
   * thread-safe; does not fail.
   */
  public static CreationOrder of(LinkOrder order) {
    return switch (order) {
      case UNTRACKED -> UNTRACKED;
      case TRACKED -> INDEXED;
    };
  }

  /**
   * Returns the value that Skerry uses for the attributes of objects that it creates in files.
   * Local, thread-safe; does not fail.
   */
  public static CreationOrder of(AttributeOrder order) {
    return switch (order) {
      case UNTRACKED -> UNTRACKED;
      case TRACKED -> INDEXED;
    };
  }

  /** Returns whether links have a creation order. Local, thread-safe; does not fail. */
  public LinkOrder ofLinks() {
    return this == UNTRACKED ? LinkOrder.UNTRACKED : LinkOrder.TRACKED;
  }

  /** Returns whether attributes have a creation order. Local, thread-safe; does not fail. */
  public AttributeOrder ofAttributes() {
    return this == UNTRACKED ? AttributeOrder.UNTRACKED : AttributeOrder.TRACKED;
  }
}
