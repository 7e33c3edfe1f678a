package io.skerry.collective.dataset;

import io.skerry.chunk.format.ChunkFormat;
import io.skerry.chunk.format.DenseChunkFormat;
import io.skerry.chunk.format.SparseChunkFormat;
import io.skerry.datatype.Datatype;
import io.skerry.format.block.ByteSource;
import io.skerry.format.block.Widths;
import io.skerry.format.index.ChunkIndexes;
import io.skerry.format.index.api.ChunkIndex;
import io.skerry.format.layout.ChunkedLayout;
import io.skerry.format.layout.Filtering;
import io.skerry.selection.Shape;
import java.lang.foreign.MemorySegment;

/** Creates datasets without a file, for tests of planning and ownership. */
public final class SampleDatasets {
  private SampleDatasets() {}

  /** Creates a sparse i32 dataset with an extensible array index. */
  public static ChunkedDataset sparse(long id) {
    Shape shape = Shape.of(20, 30).unlimited(0);
    long[] chunk = {4, 8};
    ChunkFormat format = SparseChunkFormat.of(chunk, Datatype.I32);
    return new ChunkedDataset(
        id,
        "/sparse",
        shape,
        format,
        index(ChunkedLayout.sparse(shape, Shape.of(chunk), 4, Filtering.UNFILTERED), shape));
  }

  /** Creates a dense u16 dataset with a fixed array index. */
  public static ChunkedDataset dense(long id) {
    Shape shape = Shape.of(20, 30);
    long[] chunk = {4, 8};
    ChunkFormat format = DenseChunkFormat.of(chunk, Datatype.U16);
    return new ChunkedDataset(
        id,
        "/dense",
        shape,
        format,
        index(ChunkedLayout.dense(shape, Shape.of(chunk), 2, Filtering.UNFILTERED), shape));
  }

  /** Returns an empty file, in which every read fails. */
  public static ByteSource noFile() {
    return new ByteSource() {
      @Override
      public MemorySegment read(long address, long length) {
        throw new AssertionError("nothing is stored: address=" + address);
      }

      @Override
      public long size() {
        return 0;
      }

      @Override
      public String name() {
        return "no file";
      }
    };
  }

  private static ChunkIndex index(ChunkedLayout layout, Shape shape) {
    return ChunkIndexes.create(layout, shape, Filtering.UNFILTERED, Widths.EIGHT);
  }
}
