package io.skerry.format.file;

import io.skerry.chunk.FormatException;
import io.skerry.format.ByteSource;
import io.skerry.format.Widths;
import io.skerry.format.object.DatatypeMessage;
import io.skerry.format.object.ObjectHeader;
import io.skerry.format.object.SharedMessages;
import io.skerry.format.object.SharedReference;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/** Fetches committed datatypes from their headers and pooled messages from their heap. */
final class SharedMessageReader implements SharedMessages {
  private final ByteSource source;
  private final Widths widths;

  SharedMessageReader(ByteSource source, Widths widths, Optional<ObjectHeader> extension) {
    this.source = source;
    this.widths = widths;
  }

  @Override
  public Optional<MemorySegment> body(int type, SharedReference reference) {
    return switch (reference) {
      case SharedReference.Committed(long address) -> Optional.of(committed(type, address));
      case SharedReference.Pooled _ -> Optional.empty();
    };
  }

  /** A committed datatype; its own message is never shared again, so there is no circle. */
  private MemorySegment committed(int type, long address) {
    if (type != DatatypeMessage.TYPE) {
      throw new FormatException("message shared with another object", "a datatype", type)
          .atAddress(address);
    }
    return ObjectHeader.read(source, widths, address)
        .require(DatatypeMessage.class)
        .body()
        .segment();
  }
}
