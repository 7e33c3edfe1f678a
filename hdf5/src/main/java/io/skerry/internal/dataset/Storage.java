package io.skerry.internal.dataset;

import io.skerry.collective.dataset.ChunkedDataset;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;

/** How the values of a dataset are kept. */
public sealed interface Storage {
  /** In chunks, dense or sparse. */
  record Chunked(ChunkedDataset dataset) implements Storage {}

  /** In one block; no address if nothing was ever written. */
  record Contiguous(Optional<Long> address) implements Storage {}

  /** In pieces of other files, one after the other. */
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
