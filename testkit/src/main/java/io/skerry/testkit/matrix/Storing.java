package io.skerry.testkit.matrix;

import io.skerry.DatasetSpec;
import io.skerry.datatype.CharacterSet;
import io.skerry.datatype.Compound;
import io.skerry.datatype.Datatype;
import io.skerry.datatype.Endian;
import io.skerry.datatype.FixedPoint;
import io.skerry.datatype.Signedness;
import io.skerry.datatype.VariableLength;
import io.skerry.filter.Filters;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiFunction;

/** How a dataset is stored. */
public enum Storing {
  /** In one block. */
  CONTIGUOUS((spec, _) -> spec.contiguous(), Trait.GROWS, Trait.PLAIN_EDGES),
  /** In the object header. */
  COMPACT((spec, _) -> spec.compact(), Trait.GROWS, Trait.PLAIN_EDGES),
  /** In chunks without filters, which get their places when they are written. */
  DENSE(DatasetSpec::chunked),
  /** In chunks without filters, which got their places when the dataset was created. */
  DENSE_EARLY(
      (spec, chunk) -> spec.chunked(chunk).allocation(DatasetSpec.Allocation.EARLY),
      Trait.GROWS,
      Trait.PLAIN_EDGES),
  /** Deflated. */
  DEFLATE((spec, chunk) -> spec.chunked(chunk).filters(Filters.deflate(9))),
  /** Shuffled, which changes no size. */
  SHUFFLE((spec, chunk) -> spec.chunked(chunk).filters(Filters.shuffle())),
  /** With a checksum, which makes chunks longer. */
  FLETCHER32((spec, chunk) -> spec.chunked(chunk).filters(Filters.fletcher32())),
  /** Three filters, one after the other. */
  SEVERAL_FILTERS((spec, chunk) ->
      spec.chunked(chunk).filters(Filters.shuffle(), Filters.deflate(6), Filters.fletcher32())),
  /** The bits of the numbers only, which have 20 of 32. */
  NBIT((spec, chunk) -> spec.chunked(chunk).filters(Filters.nbit())),
  /** Differences from the smallest number of the chunk. */
  SCALE_OFFSET((spec, chunk) -> spec.chunked(chunk).filters(Filters.scaleOffset()), Trait.COMPOUND),
  /** In sparse chunks. */
  SPARSE(DatasetSpec::sparse),
  /** In sparse chunks whose sections are filtered. */
  SPARSE_FILTERED((spec, chunk) ->
      spec.sparse(chunk)
          .sectionFilters(0, Filters.deflate(6))
          .sectionFilters(1, Filters.shuffle(), Filters.deflate(6), Filters.fletcher32())),
  /** Texts in sparse chunks. */
  SPARSE_TEXTS(DatasetSpec::sparse, Trait.COMPOUND, Trait.CONVERTS, Trait.FILLED),
  /** Texts in sparse chunks, deflated. */
  SPARSE_TEXTS_FILTERED(
      (spec, chunk) -> spec.sparse(chunk).filters(Filters.deflate(6)),
      Trait.COMPOUND,
      Trait.CONVERTS,
      Trait.FILLED),
  /** Texts in chunks of all elements that keep them. */
  STRUCTURED_TEXTS(
      (spec, chunk) -> spec.structured(chunk).filters(Filters.deflate(6)),
      Trait.COMPOUND,
      Trait.CONVERTS,
      Trait.FILLED,
      Trait.NEVER_FILLED,
      Trait.WITHOUT_FILL),
  /** Texts in the global heap; the chunks have their addresses. */
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

  /** Returns whether it can do what the access asks for. */
  boolean fits(Access access) {
    return refused.stream().noneMatch(access::has);
  }

  boolean isSparse() {
    return SPARSE_ONES.contains(this);
  }

  boolean holdsTexts() {
    return TEXTS.contains(this);
  }

  /** Returns whether releases of HDF5 that know no structured chunks read it. */
  boolean isForAll() {
    return !isSparse() && this != STRUCTURED_TEXTS;
  }

  /** The type in the file; the compound has a gap. */
  Datatype type(Access access) {
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
