package io.skerry.internal.dataset;

import io.skerry.ChunkInfo;
import io.skerry.ChunkTable;
import io.skerry.chunk.ChunkImage;
import io.skerry.collective.dataset.ChunkedDataset;
import io.skerry.collective.step.FileGate;
import io.skerry.exception.FormatException;
import io.skerry.format.block.ByteSource;
import io.skerry.format.index.api.ChunkIndex;
import io.skerry.format.index.api.ChunkRecord;
import io.skerry.format.index.api.RecordVisitor;
import io.skerry.selection.Shape;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The stored chunks of a dataset in an HDF5 file. Thread-safe; each call excludes the collective
 * operations of this rank, so that no flush runs during the call. Reads and writes of elements that
 * do not lock the file may run concurrently.
 *
 * @param gate the gate of the file
 * @param hold the hold that keeps the dataset in the directory of open datasets as long as the
 *     table is reachable
 * @param source the bytes of the file, from its base address
 * @param base the base address of the file, in bytes
 */
record NativeChunkTable(
    FileGate gate, ChunkedDataset dataset, ChunkedDataset.Hold hold, ByteSource source, long base)
    implements ChunkTable {

  @Override
  public long count() {
    long[] count = {0};
    forEachRecord((_, _) -> count[0]++);
    return count[0];
  }

  @Override
  public long storedBytes() {
    long[] bytes = {0};
    forEachRecord((_, record) -> bytes[0] += record.sections().size());
    return bytes[0];
  }

  @Override
  public void forEach(Consumer<ChunkInfo> visitor) {
    forEachRecord((scaled, record) -> visitor.accept(info(scaled, record)));
  }

  /** Returns the index, unless the dataset was deleted; then other objects may have its blocks. */
  private ChunkIndex index() {
    dataset.requirePresence();
    return dataset.index();
  }

  private void forEachRecord(RecordVisitor visitor) {
    gate.exclusively(() -> index().forEachRecord(source, visitor));
  }

  @Override
  public ChunkInfo get(long number) {
    List<ChunkInfo> found = new ArrayList<>(1);
    long[] count = {0};
    forEachRecord((scaled, record) -> {
      if (count[0]++ == number) {
        found.add(info(scaled, record));
      }
    });
    if (found.isEmpty()) {
      throw new IndexOutOfBoundsException(
          "no such chunk: number=" + number + " chunks=" + count[0] + " dataset=" + dataset);
    }
    return found.getFirst();
  }

  @Override
  public Optional<ChunkInfo> at(long... element) {
    long[] scaled = scaled(element);
    return gate.exclusively(
        () -> index().storedRecord(source, scaled).map(record -> info(scaled, record)));
  }

  @Override
  public Optional<ChunkImage> image(long... element) {
    long[] scaled = scaled(element);
    return gate.exclusively(() -> index().storedRecord(source, scaled).map(this::read));
  }

  private ChunkImage read(ChunkRecord record) {
    long size = record.sections().checked().size();
    if (record.address() < 0 || record.address() > source.size() - size) {
      throw new FormatException(
              "a chunk lies outside the file", "0.." + source.size(), record.address() + "+" + size)
          .inObject(dataset.name())
          .atAddress(record.address());
    }
    return new ChunkImage(source.read(record.address(), size), record.sections());
  }

  private ChunkInfo info(long[] scaled, ChunkRecord record) {
    return ChunkInfo.of(
        dataset.grid().origin(scaled), base + record.address(), record.sections().checked());
  }

  private long[] scaled(long[] element) {
    Shape shape = dataset.shape();
    if (element.length != shape.rank()) {
      throw new IllegalArgumentException(
          "coordinates of an element: expected=" + shape.rank() + " actual=" + element.length);
    }
    long[] scaled = new long[element.length];
    for (int d = 0; d < scaled.length; d++) {
      if (element[d] < 0 || element[d] >= shape.extent(d)) {
        throw new IllegalArgumentException(
            "outside the extent: dimension="
                + d
                + " extent="
                + shape.extent(d)
                + " actual="
                + element[d]);
      }
      scaled[d] = element[d] / dataset.grid().size(d);
    }
    return scaled;
  }
}
