package io.skerry.format.header;

import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.format.block.Widths;
import io.skerry.format.message.Message;
import io.skerry.format.message.SharedReference;
import io.skerry.format.message.dataset.DatatypeMessage;
import io.skerry.format.message.dataset.FillValueMessage;
import io.skerry.format.message.dataset.FilterPipelineMessage;
import io.skerry.format.message.dataset.OldFillValueMessage;
import io.skerry.format.message.dataset.SectionPipelineMessage;
import io.skerry.format.message.group.GroupInfoMessage;
import java.util.Comparator;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A message of an object header with the fields of its message header.
 *
 * @param message the content of the message
 * @param flags the bits of the message header: 0 constant, 1 shared, 2 never share, 3 fail to open
 *     for writing if unknown, 4 mark if unknown, 5 was marked as unknown, 6 may be shared, 7 always
 *     fail if unknown
 * @param creationOrder the creation order, if the header tracks the creation order of attributes
 * @param shared the location of the content, if it is not stored in this header
 */
public record HeaderMessage(
    Message message, int flags, OptionalInt creationOrder, Optional<SharedReference> shared) {
  static final int SHARED = 0x02;
  static final int FAIL_TO_WRITE = 0x08;
  static final int MARK_IF_UNKNOWN = 0x10;
  static final int WAS_UNKNOWN = 0x20;
  static final int FAIL_ALWAYS = 0x80;
  private static final int CONSTANT = 0x01;

  /** Creates a message whose content is stored in the object header itself. */
  public HeaderMessage(Message message, int flags, OptionalInt creationOrder) {
    this(message, flags, creationOrder, Optional.empty());
  }

  /** Returns a message with the flags that HDF5 sets for its type, and without a creation order. */
  public static HeaderMessage of(Message message) {
    int flags =
        switch (message) {
          case DatatypeMessage _,
              FillValueMessage _,
              OldFillValueMessage _,
              GroupInfoMessage _,
              FilterPipelineMessage _,
              SectionPipelineMessage _ ->
              CONSTANT;
          default -> 0;
        };
    return new HeaderMessage(message, flags, OptionalInt.empty());
  }

  /**
   * Returns a message whose content is stored elsewhere, such as the committed datatype of a
   * dataset.
   */
  public static HeaderMessage shared(Message message, SharedReference reference) {
    HeaderMessage own = of(message);
    return new HeaderMessage(
        message, own.flags | SHARED, own.creationOrder, Optional.of(reference));
  }

  /** Returns this message with the given creation order. */
  public HeaderMessage withCreationOrder(int order) {
    return new HeaderMessage(message, flags, OptionalInt.of(order), shared);
  }

  /**
   * Returns a message with the given content, stored in the object header itself. Keeps the
   * creation order and all flags of this message except the shared flag.
   */
  public HeaderMessage with(Message other) {
    return new HeaderMessage(other, flags & ~SHARED, creationOrder);
  }

  /** Returns whether the content of the message is stored elsewhere. */
  public boolean isShared() {
    return (flags & SHARED) != 0;
  }

  /** Appends the body of the message, or the reference if its content is stored elsewhere. */
  void encodeBody(ByteWriter out, Widths widths, HeaderPrefix prefix) {
    if (shared.isPresent()) {
      shared.get().encode(out, widths);
    } else if (prefix.version() == 1) {
      message.encodeEarliest(out, widths);
    } else {
      message.encode(out, widths);
    }
  }

  /**
   * Returns a comparator that orders messages by creation order; messages without a creation order
   * sort last.
   */
  public static Comparator<HeaderMessage> byCreation() {
    return Comparator.comparingInt(entry -> entry.creationOrder().orElse(Integer.MAX_VALUE));
  }
}
