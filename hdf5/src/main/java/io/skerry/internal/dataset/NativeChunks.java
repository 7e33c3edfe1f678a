package io.skerry.internal.dataset;

import io.skerry.ChunkTable;
import io.skerry.StorageStatistics;
import io.skerry.chunk.ChunkImage;
import io.skerry.chunk.dataspace.grid.ChunkCoordinates;
import io.skerry.collective.dataset.ChunkedDataset;
import io.skerry.format.block.ByteSource;
import io.skerry.format.header.ObjectHeader;
import io.skerry.internal.dataset.create.DatasetFilters;
import io.skerry.parallel.FileAccess;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The stored chunks of a dataset in an HDF5 file. Collective. */
record NativeChunks(HdfFile file, ChunkedDataset dataset) {

  /** Flushes the file if it is open for writing, and returns the stored chunks. */
  ChunkTable table() {
    store();
    return new NativeChunkTable(
        file.gate(),
        dataset,
        dataset.hold(),
        source(),
        file.tree().format().superblock().baseAddress());
  }

  /** Flushes the file if it is open for writing, and computes statistics of the stored chunks. */
  StorageStatistics statistics(ObjectHeader header) {
    store();
    return StatisticsWalk.of(dataset, new DatasetFilters(header).sections(), source());
  }

  private void store() {
    dataset.requirePresence();
    if (file.collective().access() != FileAccess.READ) {
      file.flush();
    }
  }

  private ByteSource source() {
    return file.tree().source();
  }

  /**
   * Stores encoded chunks, which replace the stored versions of these chunks.
   *
   * @param images the images of this rank, by the coordinates of the first element of each chunk
   */
  void write(Map<List<Long>, ChunkImage> images) {
    file.collective()
        .chunks()
        .replaceChunks(
            dataset,
            () -> {
              Map<ChunkCoordinates, ChunkImage> byPlace = new HashMap<>();
              images.forEach((offset, image) -> byPlace.put(place(offset), image));
              return byPlace;
            });
  }

  private ChunkCoordinates place(List<Long> offset) {
    int rank = dataset.shape().rank();
    long[] scaled = new long[rank];
    boolean first = offset.size() == rank;
    for (int d = 0; first && d < rank; d++) {
      long size = dataset.grid().size(d);
      first = offset.get(d) >= 0 && offset.get(d) % size == 0;
      scaled[d] = offset.get(d) / size;
    }
    if (!first) {
      throw new IllegalArgumentException(
          "no chunk begins there: offset="
              + offset
              + " chunk="
              + Arrays.toString(dataset.grid().sizes()));
    }
    return ChunkCoordinates.of(scaled);
  }
}
