package io.skerry.integration.matrix;

import io.skerry.DatasetSpec;
import io.skerry.datatype.CharacterSet;
import io.skerry.datatype.Compound;
import io.skerry.datatype.Datatype;
import io.skerry.datatype.Endian;
import io.skerry.datatype.FixedPoint;
import io.skerry.datatype.Signedness;
import io.skerry.datatype.VariableLength;
import io.skerry.filter.Filters;
import io.skerry.integration.matrix.pattern.Trait;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiFunction;

/** The storage of a dataset. */
public enum Storing {
  /** Contiguous layout. */
  CONTIGUOUS((spec, _) -> spec.contiguous(), Trait.GROWS, Trait.PLAIN_EDGES),
  /** Compact layout: in the object header. */
  COMPACT((spec, _) -> spec.compact(), Trait.GROWS, Trait.PLAIN_EDGES),
  /** Chunks without filters, allocated when they are written. */
  DENSE(DatasetSpec::chunked),
  /** Chunks without filters, allocated when the dataset is created. */
  DENSE_EARLY(
      (spec, chunk) -> spec.chunked(chunk).allocation(DatasetSpec.Allocation.EARLY),
      Trait.GROWS,
      Trait.PLAIN_EDGES),
  /** Chunks with the deflate filter. */
  DEFLATE((spec, chunk) -> spec.chunked(chunk).filters(Filters.deflate(9))),
  /** Chunks with the shuffle filter, which does not change their size. */
  SHUFFLE((spec, chunk) -> spec.chunked(chunk).filters(Filters.shuffle())),
  /** Chunks with a checksum, which makes them longer. */
  FLETCHER32((spec, chunk) -> spec.chunked(chunk).filters(Filters.fletcher32())),
  /** Chunks with three filters in sequence. */
  SEVERAL_FILTERS((spec, chunk) ->
      spec.chunked(chunk).filters(Filters.shuffle(), Filters.deflate(6), Filters.fletcher32())),
  /** Chunks with the N-bit filter, for 32-bit numbers with 20 significant bits. */
  NBIT((spec, chunk) -> spec.chunked(chunk).filters(Filters.nbit())),
  /** Chunks with the scale-offset filter. */
  SCALE_OFFSET((spec, chunk) -> spec.chunked(chunk).filters(Filters.scaleOffset()), Trait.COMPOUND),
  /** Sparse chunks. */
  SPARSE(DatasetSpec::sparse),
  /** Sparse chunks with filtered sections. */
  SPARSE_FILTERED((spec, chunk) ->
      spec.sparse(chunk)
          .sectionFilters(0, Filters.deflate(6))
          .sectionFilters(1, Filters.shuffle(), Filters.deflate(6), Filters.fletcher32())),
  /** Variable-length strings in sparse chunks. */
  SPARSE_TEXTS(DatasetSpec::sparse, Trait.COMPOUND, Trait.CONVERTS, Trait.FILLED),
  /** Variable-length strings in deflated sparse chunks. */
  SPARSE_TEXTS_FILTERED(
      (spec, chunk) -> spec.sparse(chunk).filters(Filters.deflate(6)),
      Trait.COMPOUND,
      Trait.CONVERTS,
      Trait.FILLED),
  /** Variable-length strings in structured chunks in which all elements are defined. */
  STRUCTURED_TEXTS(
      (spec, chunk) -> spec.structured(chunk).filters(Filters.deflate(6)),
      Trait.COMPOUND,
      Trait.CONVERTS,
      Trait.FILLED,
      Trait.NEVER_FILLED,
      Trait.WITHOUT_FILL),
  /** Variable-length strings in the global heap, referenced by dense chunks. */
  DENSE_TEXTS(
      (spec, chunk) -> spec.chunked(chunk).filters(Filters.deflate(6)),
      Trait.COMPOUND,
      Trait.CONVERTS,
      Trait.FILLED,
      Trait.NEVER_FILLED,
      Trait.WITHOUT_FILL);

  private static final FixedPoint TWENTY_BITS =
      new FixedPoint(4, Endian.LITTLE, Signedness.SIGNED, 3, 20);
  private static final Set<Storing> SPARSE_ONES =
      EnumSet.of(SPARSE, SPARSE_FILTERED, SPARSE_TEXTS, SPARSE_TEXTS_FILTERED);
  private static final Set<Storing> TEXTS =
      EnumSet.of(SPARSE_TEXTS, SPARSE_TEXTS_FILTERED, STRUCTURED_TEXTS, DENSE_TEXTS);

  private final BiFunction<DatasetSpec, long[], DatasetSpec> layout;
  private final Set<Trait> refused;

  Storing(BiFunction<DatasetSpec, long[], DatasetSpec> layout, Trait... refused) {
    this.layout = layout;
    this.refused = Set.of(refused);
  }

  /** Returns whether this storage supports the access. */
  boolean fits(SelectionPattern access) {
    return refused.stream().noneMatch(access::has);
  }

  boolean isSparse() {
    return SPARSE_ONES.contains(this);
  }

  boolean holdsTexts() {
    return TEXTS.contains(this);
  }

  /** Returns whether releases of HDF5 without structured chunks can read this storage. */
  boolean isForAll() {
    return !isSparse() && this != STRUCTURED_TEXTS;
  }

  /** Returns the type in the file; a compound type has a gap between its members. */
  Datatype type(SelectionPattern access) {
    if (holdsTexts()) {
      return VariableLength.string(CharacterSet.ASCII);
    }
    FixedPoint number = this == NBIT ? TWENTY_BITS : Datatype.I32;
    return access.has(Trait.COMPOUND)
        ? new Compound(
            16,
            List.of(
                new Compound.Member("a", 0, Datatype.I16),
                new Compound.Member("b", 4, number),
                new Compound.Member("c", 8, Datatype.I64)))
        : number;
  }

  DatasetSpec spec(DatasetSpec plain, long[] chunk) {
    return layout.apply(plain, chunk);
  }
}
