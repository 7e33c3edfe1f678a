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
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A message as it stands in an object header.
 *
 * @param message what it says
 * @param flags bits of the message header: 0 constant, 1 shared, 2 never share, 3 do not write the
 *     file if unknown, 4 mark if unknown, 5 was marked, 6 may be shared, 7 fail if unknown
 * @param creationOrder its creation order, if the header tracks that of attributes
 * @param shared where its content really stands, if not in this header
 */
public record HeaderMessage(
    Message message, int flags, OptionalInt creationOrder, Optional<SharedReference> shared) {
  static final int SHARED = 0x02;
  static final int FAIL_TO_WRITE = 0x08;
  static final int MARK_IF_UNKNOWN = 0x10;
  static final int WAS_UNKNOWN = 0x20;
  static final int FAIL_ALWAYS = 0x80;
  private static final int CONSTANT = 0x01;

  /** A message that stands in this header. */
  public HeaderMessage(Message message, int flags, OptionalInt creationOrder) {
    this(message, flags, creationOrder, Optional.empty());
  }

  /** A message with the flags that HDF5 gives to its kind, creation order untracked. */
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

  /** A message whose content stands elsewhere: the datatype of a dataset, committed by name. */
  public static HeaderMessage shared(Message message, SharedReference reference) {
    HeaderMessage own = of(message);
    return new HeaderMessage(
        message, own.flags | SHARED, own.creationOrder, Optional.of(reference));
  }

  /** This message with a creation order. */
  public HeaderMessage withCreationOrder(int order) {
    return new HeaderMessage(message, flags, OptionalInt.of(order), shared);
  }

  /** Another message in the place of this one, order kept; it stands in this header. */
  public HeaderMessage with(Message other) {
    return new HeaderMessage(other, flags & ~SHARED, creationOrder);
  }

  /** Whether its content really stands elsewhere. */
  public boolean isShared() {
    return (flags & SHARED) != 0;
  }

  /** Appends the body: that of the message, or the reference if it stands elsewhere. */
  void encodeBody(ByteWriter out, Widths widths, HeaderPrefix prefix) {
    if (shared.isPresent()) {
      shared.get().encode(out, widths);
    } else if (prefix.version() == 1) {
      message.encodeEarliest(out, widths);
    } else {
      message.encode(out, widths);
    }
  }
}
