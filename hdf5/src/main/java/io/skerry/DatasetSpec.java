package io.skerry;

import io.skerry.chunk.filter.FilterPipeline;
import io.skerry.chunk.filter.FilterSpec;
import io.skerry.chunk.filter.SectionPipelines;
import io.skerry.chunk.space.SelectionEncoding;
import io.skerry.chunk.space.Shape;
import io.skerry.chunk.type.Datatype;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * How a new dataset is to be stored. Immutable; each wither gives a changed copy.
 *
 * @param datatype type of an element in the file
 * @param shape extent and maximum
 * @param storage dense or sparse
 * @param chunk shape of a chunk
 * @param filters filters of each section; a dense dataset has only the first
 * @param fill bytes of the fill value in the file datatype; empty for zeros
 * @param encoding how a sparse chunk writes down which elements are defined
 */
public record DatasetSpec(
    Datatype datatype,
    Shape shape,
    Storage storage,
    long[] chunk,
    SectionPipelines filters,
    Optional<byte[]> fill,
    SelectionEncoding encoding) {

  /** Whether elements can be undefined. */
  public enum Storage {
    /** Every element has a value. Any HDF5 ≥ 1.10 reads it. */
    DENSE,
    /** Only elements that were written exist. */
    SPARSE
  }

  /** Defensive copies. */
  public DatasetSpec {
    chunk = chunk.clone();
    if (chunk.length != shape.rank() || shape.rank() == 0) {
      throw new IllegalArgumentException(
          "a chunk needs the rank of the dataset, at least 1: chunk="
              + Arrays.toString(chunk)
              + " shape="
              + shape);
    }
  }

  /** Dense, in chunks of up to about 1 MiB that halve the leading dimensions first. */
  public static DatasetSpec of(Datatype datatype, Shape shape) {
    return new DatasetSpec(
        datatype,
        shape,
        Storage.DENSE,
        guessedChunk(datatype, shape),
        SectionPipelines.none(),
        Optional.empty(),
        SelectionEncoding.SMALLEST);
  }

  /** Dense chunks of this shape. */
  public DatasetSpec chunked(long... chunkShape) {
    return new DatasetSpec(datatype, shape, Storage.DENSE, chunkShape, filters, fill, encoding);
  }

  /** Sparse chunks of this shape. */
  public DatasetSpec sparse(long... chunkShape) {
    return new DatasetSpec(datatype, shape, Storage.SPARSE, chunkShape, filters, fill, encoding);
  }

  /** These filters, in this order; for a sparse dataset on every section. */
  public DatasetSpec filters(FilterSpec... specs) {
    return withFilters(SectionPipelines.all(new FilterPipeline(List.of(specs))));
  }

  /** These filters on one section of a sparse dataset; the other sections keep theirs. */
  public DatasetSpec sectionFilters(int section, FilterSpec... specs) {
    return withFilters(filters.with(section, new FilterPipeline(List.of(specs))));
  }

  /** The value of elements that were never written, in the file datatype. */
  public DatasetSpec fillValue(byte... value) {
    if (value.length != datatype.size()) {
      throw new IllegalArgumentException(
          "fill value of another size: expected=" + datatype.size() + " actual=" + value.length);
    }
    return new DatasetSpec(
        datatype, shape, storage, chunk, filters, Optional.of(value.clone()), encoding);
  }

  /** How defined elements are written down in sparse chunks. */
  public DatasetSpec encoding(SelectionEncoding how) {
    return new DatasetSpec(datatype, shape, storage, chunk, filters, fill, how);
  }

  private DatasetSpec withFilters(SectionPipelines pipelines) {
    return new DatasetSpec(datatype, shape, storage, chunk, pipelines, fill, encoding);
  }

  @Override
  public long[] chunk() {
    return chunk.clone();
  }

  /** What must be equal on all ranks, as text. */
  String describe() {
    return datatype
        + " "
        + shape
        + " "
        + storage
        + " chunk="
        + Arrays.toString(chunk)
        + " filters="
        + filters.bySection().stream().map(FilterPipeline::filters).toList()
        + " fill="
        + fill.map(Arrays::toString).orElse("zeros")
        + " encoding="
        + encoding;
  }

  private static long[] guessedChunk(Datatype datatype, Shape shape) {
    long[] chunk = new long[shape.rank()];
    long bytes = datatype.size();
    for (int i = 0; i < chunk.length; i++) {
      chunk[i] = Math.max(1, shape.extent(i));
      bytes = Math.multiplyExact(bytes, chunk[i]);
    }
    for (int i = 0; i < chunk.length; i++) {
      while (bytes > 1 << 20 && chunk[i] > 1) {
        bytes = bytes / chunk[i];
        chunk[i] = (chunk[i] + 1) / 2;
        bytes *= chunk[i];
      }
    }
    return chunk;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof DatasetSpec that && describe().equals(that.describe());
  }

  @Override
  public int hashCode() {
    return describe().hashCode();
  }

  @Override
  public String toString() {
    return describe();
  }
}
