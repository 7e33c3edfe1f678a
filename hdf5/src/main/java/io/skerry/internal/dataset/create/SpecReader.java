package io.skerry.internal.dataset.create;

import io.skerry.AttributeOrder;
import io.skerry.DatasetSpec;
import io.skerry.StorageChange;
import io.skerry.VirtualLayout;
import io.skerry.chunk.datatype.VariableLengthParts;
import io.skerry.datatype.Datatype;
import io.skerry.filter.pipeline.SectionPipelines;
import io.skerry.format.header.HeaderPrefix;
import io.skerry.format.header.ObjectHeader;
import io.skerry.format.layout.ChunkedLayout;
import io.skerry.format.layout.CompactLayout;
import io.skerry.format.layout.ContiguousLayout;
import io.skerry.format.layout.EdgeChunks;
import io.skerry.format.layout.LayoutForm;
import io.skerry.format.layout.LayoutMessage;
import io.skerry.format.layout.VirtualLayoutMessage;
import io.skerry.format.message.SharedReference;
import io.skerry.format.message.dataset.DataspaceMessage;
import io.skerry.format.message.dataset.DatatypeMessage;
import io.skerry.format.message.dataset.FillValueMessage;
import io.skerry.selection.Shape;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Optional;
import java.util.function.LongFunction;

/**
 * Derives the specification for a dataset like an existing one from its object header. Parameters
 * that filters derive from the dataset are left out, since the creation of a dataset adds them.
 * Local.
 *
 * @param header the object header
 * @param type the datatype of the elements
 * @param shape the current extent
 * @param fill the fill value; empty if none is defined
 */
public record SpecReader(
    ObjectHeader header, Datatype type, Shape shape, Optional<MemorySegment> fill) {
  /**
   * Returns the specification.
   *
   * @param virtual the mappings of a virtual dataset
   * @param paths a function that finds the path of a committed datatype by its address
   */
  public DatasetSpec spec(Optional<VirtualLayout> virtual, LongFunction<Optional<String>> paths) {
    return own(virtual)
        .sharing(
            header
                .sharedReference(DatatypeMessage.class)
                .flatMap(reference ->
                    reference instanceof SharedReference.Committed(long address)
                        ? paths.apply(address)
                        : Optional.empty()));
  }

  private DatasetSpec own(Optional<VirtualLayout> virtual) {
    if (header.require(DataspaceMessage.class).kind() == DataspaceMessage.Kind.NULL) {
      return ordered(DatasetSpec.withoutElements(type));
    }
    return switch (header.require(LayoutMessage.class)) {
      case ChunkedLayout chunks -> chunked(chunks);
      case CompactLayout _ -> filled(fixed()).compact();
      case ContiguousLayout _ ->
          // A contiguous dataset can grow only if its elements are in external files.
          shape.isExtendible() ? filled(shape) : filled(fixed()).contiguous();
      case VirtualLayoutMessage _ -> virtual.map(filled(shape)::virtual).orElseThrow();
    };
  }

  private Shape fixed() {
    return Shape.of(shape.extent());
  }

  private DatasetSpec filled(Shape extent) {
    DatasetSpec spec = ordered(DatasetSpec.of(type, extent));
    return fill.map(value -> spec.fillValue(value.toArray(ValueLayout.JAVA_BYTE))).orElse(spec);
  }

  private DatasetSpec ordered(DatasetSpec spec) {
    return header.prefix().attributeOrder() == HeaderPrefix.AttributeOrder.UNTRACKED
        ? spec
        : spec.attributeOrder(AttributeOrder.TRACKED);
  }

  private DatasetSpec chunked(ChunkedLayout layout) {
    long[] chunk = layout.chunk().extent();
    DatasetSpec plain = filled(shape);
    SectionPipelines filters =
        new DatasetFilters(header).specified().orElseGet(SectionPipelines::none);
    DatasetSpec chunks = plain.chunked(chunk);
    if (layout.form().isStructured()) {
      boolean isDense = layout.form() == LayoutForm.SPARSE_VARIABLE && isDense(header);
      chunks = isDense ? plain.structured(chunk) : plain.sparse(chunk);
    }
    return chunks
        .withFilters(
            new SectionPipelines(filters.bySection().stream().map(StorageChange::unbound).toList()))
        .edges(
            layout.edges() == EdgeChunks.UNFILTERED
                ? DatasetSpec.Edges.UNFILTERED
                : DatasetSpec.Edges.FILTERED)
        .filling(filling(chunks.storage()));
  }

  private DatasetSpec.Filling filling(DatasetSpec.Storage storage) {
    boolean needsValue =
        storage != DatasetSpec.Storage.SPARSE && !VariableLengthParts.of(type).isNone();
    Optional<FillValueMessage> message = header.find(FillValueMessage.class);
    if (needsValue || message.isEmpty()) {
      return DatasetSpec.Filling.VALUE;
    }
    if (message.get().state() == FillValueMessage.State.UNDEFINED) {
      return DatasetSpec.Filling.UNDEFINED;
    }
    return message.get().writing() == FillValueMessage.Writing.NEVER
        ? DatasetSpec.Filling.NEVER
        : DatasetSpec.Filling.VALUE;
  }

  /**
   * Returns whether every element of a dataset with structured chunks has a value. The layout does
   * not contain this information, but the fill value message does: if fill values are written on
   * allocation, no element is undefined.
   */
  public static boolean isDense(ObjectHeader header) {
    return header
        .find(FillValueMessage.class)
        .filter(fill -> fill.writing() == FillValueMessage.Writing.ON_ALLOCATION)
        .isPresent();
  }
}
