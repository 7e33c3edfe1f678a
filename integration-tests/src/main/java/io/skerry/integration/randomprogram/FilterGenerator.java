package io.skerry.integration.randomprogram;

import io.skerry.DatasetSpec;
import io.skerry.datatype.FixedPoint;
import io.skerry.filter.Filters;
import java.util.random.RandomGenerator;

/** Generates random filters. */
final class FilterGenerator {
  private FilterGenerator() {}

  static DatasetSpec filtered(DatasetSpec spec, RandomGenerator random) {
    if (spec.storage() == DatasetSpec.Storage.DENSE && random.nextInt(6) == 0) {
      return packed(spec, random);
    }
    return switch (random.nextInt(6)) {
      case 0 -> spec.filters(Filters.deflate(1));
      case 1 -> spec.filters(Filters.shuffle(), Filters.deflate(2));
      case 2 -> spec.filters(Filters.fletcher32());
      case 3 ->
          spec.storage() == DatasetSpec.Storage.SPARSE
              ? spec.sectionFilters(random.nextInt(2), Filters.shuffle(), Filters.deflate(1))
              : spec.filters(Filters.shuffle(), Filters.deflate(1), Filters.fletcher32());
      default -> spec;
    };
  }

  /** Returns a specification with filters that depend on the datatype. */
  private static DatasetSpec packed(DatasetSpec spec, RandomGenerator random) {
    return spec.datatype() instanceof FixedPoint && random.nextBoolean()
        ? spec.filters(Filters.scaleOffset(), Filters.deflate(1))
        : spec.filters(Filters.nbit());
  }
}
