package io.skerry;

import io.skerry.chunk.datatype.VariableLengthParts;
import io.skerry.datatype.Datatype;
import io.skerry.exception.UnsupportedFeatureException;
import io.skerry.filter.pipeline.SectionPipelines;
import io.skerry.selection.Shape;
import java.util.Arrays;
import java.util.Optional;

/** Checks dataset specifications. */
final class SpecRules {
  /** The maximum size of a chunk in bytes, and of each of its dimensions in elements. */
  private static final long CHUNK_LIMIT = 0xffffffffL;

  private SpecRules() {}

  static void checkEarly(Shape shape, DatasetSpec.Storage storage, SectionPipelines filters) {
    if (storage == DatasetSpec.Storage.SPARSE || storage == DatasetSpec.Storage.STRUCTURED) {
      throw new IllegalArgumentException(
          "space for sparse chunks cannot be taken early: a chunk is as large as what was written"
              + " into it, and until then does not exist: storage="
              + storage);
    }
    if (storage != DatasetSpec.Storage.DENSE || filters.isFiltered() || shape.isExtendible()) {
      throw new UnsupportedFeatureException(
          "early allocation of anything but unfiltered dense chunks in an extent that cannot grow",
          "a dataset with storage="
              + storage
              + " shape="
              + shape
              + " filters="
              + DatasetSpec.text(filters));
    }
  }

  /**
   * Returns the total size of the elements of a dataset, before filtering. Local, thread-safe.
   *
   * @param datatype the datatype of an element
   * @param shape the extent
   * @return the size in bytes
   * @throws IllegalArgumentException if the size exceeds 2^63 - 1 bytes
   */
  static long bytes(Datatype datatype, Shape shape) {
    try {
      return Math.multiplyExact(shape.elements(), datatype.size());
    } catch (ArithmeticException e) {
      throw new IllegalArgumentException(
          "the bytes of a dataset without chunks exceed 2^63-1: shape="
              + shape
              + " elementSize="
              + datatype.size(),
          e);
    }
  }

  /**
   * Checks a specification that does not fill allocated space with the fill value. Rejects elements
   * with variable-length parts unless the storage is sparse, because unwritten elements would be
   * read as arbitrary heap addresses. Also rejects the combination of a fill value with {@link
   * DatasetSpec.Filling#UNDEFINED}.
   */
  static void checkFilling(
      Datatype datatype,
      DatasetSpec.Storage storage,
      Optional<byte[]> fill,
      DatasetSpec.Filling filling) {
    if (storage != DatasetSpec.Storage.SPARSE && !VariableLengthParts.of(datatype).isNone()) {
      throw new IllegalArgumentException(
          "unwritten elements of variable length need a fill value: filling="
              + filling
              + " type="
              + datatype
              + " storage="
              + storage);
    }
    if (filling == DatasetSpec.Filling.UNDEFINED && fill.isPresent()) {
      throw new IllegalArgumentException(
          "a fill value is given, but is specified as undefined: fill="
              + Arrays.toString(fill.get()));
    }
  }

  /**
   * Checks that there is a virtual layout if and only if the storage is virtual, and that its
   * mappings fit the extent.
   */
  static void checkVirtual(
      Shape shape, DatasetSpec.Storage storage, Optional<VirtualLayout> layout) {
    if (layout.isPresent() != (storage == DatasetSpec.Storage.VIRTUAL)) {
      throw new IllegalArgumentException(
          "virtual storage needs mappings, and any other has none: storage="
              + storage
              + " mappings="
              + layout.map(mapped -> mapped.mappings().size()).orElse(0));
    }
    layout.ifPresent(
        mapped -> mapped.mappings().forEach(each -> VirtualRules.checkWithin(each, shape)));
  }

  static void checkChunk(long[] chunk, int elementSize) {
    long bytes = elementSize;
    for (long side : chunk) {
      if (side < 1 || side > CHUNK_LIMIT / bytes) {
        throw new IllegalArgumentException(
            "a chunk has 1 to 2^32-1 bytes: chunk="
                + Arrays.toString(chunk)
                + " elementSize="
                + elementSize);
      }
      bytes *= side;
    }
  }
}
