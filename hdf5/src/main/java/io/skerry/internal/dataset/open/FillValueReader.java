package io.skerry.internal.dataset.open;

import io.skerry.datatype.Datatype;
import io.skerry.exception.UnsupportedFeatureException;
import io.skerry.format.header.ObjectHeader;
import io.skerry.internal.dataset.HdfFile;
import io.skerry.internal.value.ElementTransfer;
import io.skerry.internal.value.PackedSink;
import io.skerry.spi.ObjectPath;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/** Reads the fill value of a dataset from the messages of its object header. */
record FillValueReader(HdfFile file, ObjectPath path, ObjectHeader header) {
  /** Returns the fill value as stored; empty if none is defined. */
  Optional<MemorySegment> read(Datatype type) {
    return new DatasetHeader(header).fill(type);
  }

  /** Returns the fill value packed with its content; empty if none is defined. */
  Optional<MemorySegment> readPacked(Datatype type) {
    return read(type).map(element -> packed(type, element));
  }

  private MemorySegment packed(Datatype type, MemorySegment element) {
    PackedSink sink =
        new PackedSink(_ -> {
          throw new UnsupportedFeatureException("references in a fill value", path.shown());
        });
    return sink.join(
        new ElementTransfer(file.contents(), file.tree().widths(), sink, address -> address)
            .transfer(type, element, 1));
  }
}
