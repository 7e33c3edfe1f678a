package io.skerry.collective.write;

import io.skerry.cache.api.ChunkKey;
import io.skerry.chunk.ChunkImage;
import io.skerry.chunk.dataspace.grid.ChunkCoordinates;
import io.skerry.chunk.format.ChunkFormat;
import io.skerry.chunk.format.MemoryChunk;
import io.skerry.collective.dataset.ChunkedDataset;
import io.skerry.exception.FormatException;
import io.skerry.exception.UnsupportedFeatureException;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** Checks that a reader would accept the chunks that a caller has encoded. */
final class EncodedChunkChecks {
  private EncodedChunkChecks() {}

  /**
   * Returns the images by chunk, after checking that all of them can be stored.
   *
   * @throws FormatException if an image is not a valid chunk of the dataset
   * @throws IllegalArgumentException if a chunk is outside the dataset
   * @throws UnsupportedFeatureException if the elements of the dataset refer to content outside
   *     their chunks
   */
  static SortedMap<ChunkKey, ChunkImage> checked(
      ChunkedDataset dataset, Map<ChunkCoordinates, ChunkImage> images) {
    dataset.requirePresence();
    if (dataset.overwritten().isPresent()) {
      throw new UnsupportedFeatureException(
          "writing stored chunks whose elements refer to content outside them", dataset.name());
    }
    SortedMap<ChunkKey, ChunkImage> checked = new TreeMap<>();
    images.forEach((chunk, image) -> {
      check(dataset, chunk, image);
      checked.put(new ChunkKey(dataset.id(), chunk), image);
    });
    return checked;
  }

  private static void check(ChunkedDataset dataset, ChunkCoordinates chunk, ChunkImage image) {
    if (!dataset.isInside(chunk)) {
      throw new IllegalArgumentException(
          "chunk outside the dataset: chunk=" + chunk + " shape=" + dataset.shape());
    }
    var unused = dataset.index().records().checked(image.sections());
    ChunkFormat format = dataset.format(chunk);
    try {
      MemoryChunk content = format.decode(image);
      checkElements(dataset, format, chunk, content);
    } catch (FormatException e) {
      throw e.inObject(dataset.name() + " chunk " + chunk);
    }
  }

  private static void checkElements(
      ChunkedDataset dataset, ChunkFormat format, ChunkCoordinates chunk, MemoryChunk content) {
    if (format.definedness() == ChunkFormat.Definedness.ALL) {
      return;
    }
    if (content.definedCount() == 0) {
      throw new FormatException("defined elements of a stored chunk", "at least 1", 0);
    }
    // Elements outside the extent would become visible when the extent grows.
    long[] valid = dataset.grid().valid(chunk.scaled(), dataset.shape());
    long inside = format.clip(content, valid).definedCount();
    if (inside != content.definedCount()) {
      throw new FormatException(
          "defined elements outside the extent", 0, content.definedCount() - inside);
    }
  }
}
