package io.skerry.internal.dataset;

import io.skerry.chunk.ChunkImage;
import io.skerry.chunk.bytes.HeapBytes;
import io.skerry.chunk.dataspace.RunSet;
import io.skerry.chunk.dataspace.grid.ChunkCoordinates;
import io.skerry.chunk.format.ChunkFormat;
import io.skerry.chunk.format.DenseChunkFormat;
import io.skerry.chunk.format.MemoryChunk;
import io.skerry.collective.dataset.ChunkedDataset;
import io.skerry.exception.FormatException;
import io.skerry.filter.pipeline.SectionPipelines;
import io.skerry.format.block.ByteSource;
import io.skerry.format.index.api.ChunkRecord;
import io.skerry.internal.dataset.create.DatasetFilters;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.OptionalLong;

/** Decodes the stored chunks of a structured dataset for statistics. Local. */
record ChunkContents(ChunkedDataset dataset, SectionPipelines pipelines, ByteSource source) {
  private static final int VALUES = 1;

  /** The maximum size, in bytes, of a dense chunk that is encoded for an estimate. */
  private static final long MOST_SAMPLED = 64L << 20;

  /**
   * Returns the defined elements of a chunk within the extent of the dataset, and the form in which
   * their locations are encoded; empty for a dense chunk.
   */
  Optional<ChunkFormat.StoredLocations> locations(long[] scaled, ChunkRecord record) {
    return dataset
        .format(ChunkCoordinates.of(scaled))
        .locations(section(record, 0), record.sections())
        .map(found ->
            new ChunkFormat.StoredLocations(
                found.defined().intersect(dataset.grid().inside(scaled, dataset.shape())),
                found.form()));
  }

  /**
   * Returns the number of bytes that a chunk would occupy in dense storage; empty if the elements
   * have no fixed size, or if the chunk is too large to be encoded for an estimate.
   */
  OptionalLong denseBytes(long[] scaled, ChunkRecord record) {
    ChunkFormat format = dataset.format(ChunkCoordinates.of(scaled));
    long bytes = format.elements() * format.datatype().size();
    if (format.contentPacking().isPresent() || bytes > MOST_SAMPLED) {
      return OptionalLong.empty();
    }
    MemoryChunk chunk = format.decode(image(record));
    RunSet all = RunSet.range(0, format.elements());
    MemorySegment values = HeapBytes.allocate(bytes);
    format.read(chunk, all, values);
    DenseChunkFormat dense =
        DenseChunkFormat.of(format.chunkShape(), format.datatype())
            .withPipeline(pipelines.of(VALUES).withGrowth(DatasetFilters.DENSE_GROWTH));
    return OptionalLong.of(dense.encodeWritten(all, values).orElseThrow().bytes().byteSize());
  }

  private ChunkImage image(ChunkRecord record) {
    checkInside(record);
    return new ChunkImage(
        source.read(record.address(), record.sections().size()), record.sections());
  }

  private MemorySegment section(ChunkRecord record, int section) {
    checkInside(record);
    return source.read(
        record.address() + record.sections().start(section), record.sections().length(section));
  }

  private void checkInside(ChunkRecord record) {
    long size = record.sections().checked().size();
    if (record.address() < 0 || record.address() > source.size() - size) {
      throw new FormatException(
              "a chunk lies outside the file", "0.." + source.size(), record.address() + "+" + size)
          .inObject(dataset.name())
          .atAddress(record.address());
    }
  }
}
