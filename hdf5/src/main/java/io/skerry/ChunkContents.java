package io.skerry;

import io.skerry.chunk.ChunkFormat;
import io.skerry.chunk.ChunkImage;
import io.skerry.chunk.DenseChunkFormat;
import io.skerry.chunk.FormatException;
import io.skerry.chunk.MemoryChunk;
import io.skerry.chunk.SparseChunkFormat;
import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.HeapBytes;
import io.skerry.chunk.filter.SectionPipelines;
import io.skerry.chunk.space.GridPoint;
import io.skerry.chunk.space.RunSet;
import io.skerry.chunk.space.SelectionForm;
import io.skerry.collective.ChunkedDataset;
import io.skerry.format.ByteSource;
import io.skerry.format.index.ChunkRecord;
import java.lang.foreign.MemorySegment;
import java.util.OptionalLong;

/**
 * What stored chunks of a structured dataset hold, for statistics.
 *
 * @param pipelines the filters of each section
 */
record ChunkContents(ChunkedDataset dataset, SectionPipelines pipelines, ByteSource source) {
  private static final int VALUES = 1;

  /** Elements inside the extent that a chunk defines. */
  long defined(long[] scaled, ChunkRecord record) {
    ChunkFormat format = dataset.format(GridPoint.of(scaled));
    RunSet defined =
        format instanceof SparseChunkFormat sparse
            ? sparse.decodeDefined(section(record, 0), record.sections())
            : format.decodeDefined(image(record));
    return defined.intersect(dataset.grid().inside(scaled, dataset.shape())).count();
  }

  /** How a chunk writes down its locations. */
  SelectionForm form(ChunkRecord record) {
    MemorySegment locations = section(record, 0);
    if (!pipelines.of(0).isEmpty()) {
      long[] told = record.sections().unfilteredSizes();
      long limit = told.length == 0 ? HeapBytes.MAX_ARRAY : Math.min(told[0], HeapBytes.MAX_ARRAY);
      locations = pipelines.of(0).undo(locations, record.sections().filterMask(0), limit);
    }
    return SelectionForm.of(ByteReader.of(locations, "section 0 of a sparse chunk"));
  }

  /** Bytes of a chunk if it were stored dense; empty if the elements have no fixed size. */
  OptionalLong denseBytes(long[] scaled, ChunkRecord record) {
    ChunkFormat format = dataset.format(GridPoint.of(scaled));
    if (!(format instanceof SparseChunkFormat)) {
      return OptionalLong.empty();
    }
    MemoryChunk chunk = format.decode(image(record));
    RunSet all = RunSet.range(0, format.elements());
    MemorySegment values = HeapBytes.allocate(format.elements() * format.datatype().size());
    format.read(chunk, all, values);
    DenseChunkFormat dense =
        DenseChunkFormat.of(format.chunkShape(), format.datatype())
            .withPipeline(pipelines.of(VALUES).withGrowth(DatasetOpener.DENSE_GROWTH));
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
