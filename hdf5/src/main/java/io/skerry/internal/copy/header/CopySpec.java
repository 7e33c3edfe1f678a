package io.skerry.internal.copy.header;

import io.skerry.DatasetSpec;
import io.skerry.StorageChange;
import io.skerry.datatype.Datatype;
import io.skerry.filter.pipeline.FilterPipeline;
import io.skerry.filter.pipeline.SectionPipelines;
import io.skerry.format.header.ObjectHeader;
import io.skerry.format.layout.ChunkedLayout;
import io.skerry.format.layout.CompactLayout;
import io.skerry.format.layout.LayoutMessage;
import io.skerry.internal.dataset.create.DatasetFilters;
import io.skerry.internal.dataset.create.SpecReader;
import io.skerry.selection.Shape;
import java.util.Arrays;
import java.util.Optional;

/**
 * Specifies a copy with changed storage. The layout, chunk shape and filters are those of the
 * source dataset unless the change specifies others; the copy of a virtual dataset is contiguous
 * unless the change requires chunks or specifies another layout. Edge chunks of the copy are
 * filtered, even if those of the source dataset are not.
 *
 * @param old the object header of the source dataset
 * @param shape the extent of the source dataset, which for a virtual dataset follows from its
 *     sources
 * @param type the datatype of the elements of the copy
 */
record CopySpec(ObjectHeader old, Shape shape, Datatype type, StorageChange change) {
  /**
   * Returns the specification of the copy.
   *
   * @param fill the fill value of the copy; empty if none is defined
   * @throws IllegalArgumentException if the dataset cannot be stored as requested
   */
  DatasetSpec spec(Optional<byte[]> fill) {
    LayoutMessage layout = old.require(LayoutMessage.class);
    DatasetSpec plain = filled(shape, fill);
    boolean wasSparse = layout instanceof ChunkedLayout c && c.form().isStructured();
    boolean sparse = wasSparse != change.redefinition().isPresent();
    StorageChange.Layout kind = kind(layout);
    if (kind != StorageChange.Layout.CHUNKED) {
      if (sparse) {
        throw new IllegalArgumentException("a sparse dataset needs chunks: layout=" + kind);
      }
      DatasetSpec flat = filled(Shape.of(shape.extent()), fill);
      return kind == StorageChange.Layout.COMPACT ? flat.compact() : flat.contiguous();
    }
    long[] chunk = chunk(layout);
    DatasetSpec chunks = sparse ? plain.sparse(chunk) : plain.chunked(chunk);
    if (sparse && wasSparse && SpecReader.isDense(old)) {
      chunks = plain.structured(chunk);
    }
    return chunks.withFilters(pipelines(chunk, layout));
  }

  private DatasetSpec filled(Shape extent, Optional<byte[]> fill) {
    DatasetSpec spec = DatasetSpec.of(type, extent);
    return fill.map(spec::fillValue).orElse(spec);
  }

  private StorageChange.Layout kind(LayoutMessage layout) {
    boolean needsChunks =
        change.redefinition().isPresent()
            || change.chunk().isPresent()
            || change.filters().filter(f -> !f.isEmpty()).isPresent();
    if (change.layout().isPresent()) {
      if (needsChunks && change.layout().get() != StorageChange.Layout.CHUNKED) {
        throw new IllegalArgumentException(
            "only chunks can have a shape or filters: layout=" + change.layout().get());
      }
      return change.layout().get();
    }
    if (needsChunks || layout instanceof ChunkedLayout) {
      return StorageChange.Layout.CHUNKED;
    }
    return layout instanceof CompactLayout
        ? StorageChange.Layout.COMPACT
        : StorageChange.Layout.CONTIGUOUS;
  }

  private long[] chunk(LayoutMessage layout) {
    if (change.chunk().isEmpty()) {
      return layout instanceof ChunkedLayout chunked ? chunked.chunk().extent() : new long[0];
    }
    return AskedChunk.of(change.chunk().get(), shape);
  }

  private SectionPipelines pipelines(long[] chunk, LayoutMessage layout) {
    if (change.filters().isPresent()) {
      return SectionPipelines.all(new FilterPipeline(change.filters().get()));
    }
    boolean sameChunk =
        layout instanceof ChunkedLayout chunked && Arrays.equals(chunked.chunk().extent(), chunk);
    SectionPipelines kept = new DatasetFilters(old).specified().orElseGet(SectionPipelines::none);
    return sameChunk
        ? kept
        : new SectionPipelines(kept.bySection().stream().map(StorageChange::unbound).toList());
  }
}
