package io.skerry.internal.dataset.open;

import io.skerry.format.header.ObjectHeader;
import io.skerry.format.index.ChunkIndexes;
import io.skerry.format.index.api.ChunkIndex;
import io.skerry.format.layout.ChunkedLayout;
import io.skerry.internal.dataset.create.DatasetFilters;
import io.skerry.internal.tree.ObjectTree;
import io.skerry.selection.Shape;

/** Opens the chunk index that the layout message of a dataset describes. */
record ChunkIndexOpener(ObjectTree tree, ObjectHeader header) {
  ChunkIndex open(ChunkedLayout layout, Shape shape) {
    return ChunkIndexes.open(
        layout,
        shape,
        new DatasetFilters(header).filtering(layout),
        tree.widths(),
        tree.format().orders().chunkNodes(),
        tree.source());
  }
}
