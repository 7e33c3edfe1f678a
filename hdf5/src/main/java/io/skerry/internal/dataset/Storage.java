package io.skerry.internal.dataset;

import io.skerry.collective.dataset.ChunkedDataset;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;

/** The storage of the values of a dataset. */
public sealed interface Storage {
  /** In chunks, dense or sparse. */
  record Chunked(ChunkedDataset dataset) implements Storage {}

  /**
   * In one block.
   *
   * @param address the address of the block; empty if no element was ever written
   */
  record Contiguous(Optional<Long> address) implements Storage {}

  /**
   * In pieces of other files.
   *
   * @param pieces the pieces, one after the other
   */
  record External(List<ExternalPiece> pieces) implements Storage {
    public External {
      pieces = List.copyOf(pieces);
    }
  }

  /** In other datasets. */
  record Virtual(VirtualParts parts) implements Storage {}

  /** In the object header. */
  record Compact(MemorySegment data) implements Storage {}
}
