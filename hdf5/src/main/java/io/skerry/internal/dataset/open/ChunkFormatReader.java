package io.skerry.internal.dataset.open;

import io.skerry.chunk.datatype.VariableLengthParts;
import io.skerry.chunk.format.ChunkFormat;
import io.skerry.chunk.format.DenseChunkFormat;
import io.skerry.chunk.format.SparseChunkFormat;
import io.skerry.chunk.format.VariableChunkFormat;
import io.skerry.datatype.Datatype;
import io.skerry.exception.FormatException;
import io.skerry.exception.UnsupportedFeatureException;
import io.skerry.format.header.ObjectHeader;
import io.skerry.format.layout.ChunkedLayout;
import io.skerry.format.layout.LayoutForm;
import io.skerry.internal.dataset.HdfFile;
import io.skerry.internal.dataset.create.DatasetFilters;
import io.skerry.internal.dataset.create.SpecReader;
import io.skerry.selection.SelectionEncoding;
import io.skerry.spi.ObjectPath;

/** Determines the chunk format of a dataset from the messages of its object header. */
public final class ChunkFormatReader {
  private static final long LARGEST_CHUNK = 0xffffffffL;

  private final HdfFile file;
  private final ObjectPath path;
  private final ObjectHeader header;
  private final SelectionEncoding encoding;
  private final FillValueReader fill;
  private final DatasetFilters filters;

  /**
   * Creates a reader for the header of one dataset.
   *
   * @param encoding the encoding with which this program stores the locations of defined elements
   *     in sparse chunks
   */
  ChunkFormatReader(
      HdfFile file, ObjectPath path, ObjectHeader header, SelectionEncoding encoding) {
    this.file = file;
    this.path = path;
    this.header = header;
    this.encoding = encoding;
    this.fill = new FillValueReader(file, path, header);
    this.filters = new DatasetFilters(header);
  }

  /**
   * Returns the chunk format.
   *
   * @throws FormatException if the element size in the layout, or the size of the fill value,
   *     differs from that of the datatype, if structured chunks have 4 GiB or more, or if chunks
   *     have a section for variable-length content and the datatype has none
   * @throws UnsupportedFeatureException if dense chunks have 4 GiB or more, if chunks have no
   *     section for the variable-length content of the datatype, or if a fill value with
   *     variable-length content contains references whose data are in the global heap
   */
  ChunkFormat read(ChunkedLayout layout, Datatype type) {
    if (layout.elementSize() != type.size()) {
      throw new FormatException("element size in the layout", type.size(), layout.elementSize());
    }
    long[] chunk = layout.chunk().extent();
    if (!layout.form().isStructured()) {
      return dense(layout, chunk, type);
    }
    checkStructured(layout, type);
    return layout.form() == LayoutForm.SPARSE_VARIABLE
        ? variable(chunk, type)
        : sparse(chunk, type);
  }

  /**
   * Checks a layout of structured chunks. The chunk formats would report these defects of a header
   * as invalid arguments.
   */
  private static void checkStructured(ChunkedLayout layout, Datatype type) {
    if (layout.chunkBytes() > LARGEST_CHUNK) {
      throw new FormatException(
          "bytes of a structured chunk", "at most " + LARGEST_CHUNK, layout.chunkBytes());
    }
    if (layout.form() == LayoutForm.SPARSE_VARIABLE && VariableLengthParts.of(type).isNone()) {
      throw new FormatException(
          "datatype of chunks with three sections", "a type with variable-length parts", type);
    }
  }

  private ChunkFormat dense(ChunkedLayout layout, long[] chunk, Datatype type) {
    if (layout.chunkBytes() > LARGEST_CHUNK) {
      throw new UnsupportedFeatureException(
          "dense chunks of 4 GiB and more: bytes=" + layout.chunkBytes(), path.shown());
    }
    DenseChunkFormat dense =
        DenseChunkFormat.of(chunk, type)
            .withPipeline(filters.pipeline().withGrowth(DatasetFilters.DENSE_GROWTH));
    return fill.read(type).map(dense::withFill).orElse(dense);
  }

  private ChunkFormat sparse(long[] chunk, Datatype type) {
    SparseChunkFormat sparse =
        SparseChunkFormat.of(chunk, type)
            .withSelectionEncoding(encoding)
            .withPipelines(filters.sections());
    return fill.read(type).map(sparse::withFill).orElse(sparse);
  }

  private ChunkFormat variable(long[] chunk, Datatype type) {
    int lengths = file.tree().widths().length();
    VariableChunkFormat plain =
        VariableChunkFormat.of(chunk, type, lengths)
            .withSelectionEncoding(encoding)
            .withPipelines(filters.sections());
    VariableChunkFormat format = SpecReader.isDense(header) ? plain.dense() : plain;
    return fill.readPacked(type).map(format::withFill).orElse(format);
  }
}
