package io.skerry.chunk.filter;

import java.util.Optional;

/** The filters of the HDF5 library that are known here, as specifications for a new dataset. */
public final class Filters {
  /** Number of deflate. */
  public static final int DEFLATE = 1;

  /** Number of shuffle. */
  public static final int SHUFFLE = 2;

  /** Number of fletcher32. */
  public static final int FLETCHER32 = 3;

  private Filters() {}

  /** Shuffle; the element size is filled in when the dataset is created. */
  public static FilterSpec shuffle() {
    return FilterSpec.of(SHUFFLE, FilterFlag.OPTIONAL);
  }

  /**
   * Shuffle of elements of the given size.
   *
   * @param elementSize bytes, at least 1
   */
  public static FilterSpec shuffle(int elementSize) {
    if (elementSize < 1) {
      throw new IllegalArgumentException("shuffle element size: elementSize=" + elementSize);
    }
    return FilterSpec.of(SHUFFLE, FilterFlag.OPTIONAL, elementSize);
  }

  /**
   * Deflate, as zlib makes it.
   *
   * @param level 0 (none) to 9 (smallest)
   */
  public static FilterSpec deflate(int level) {
    if (level < 0 || level > 9) {
      throw new IllegalArgumentException("deflate level must be 0..9: level=" + level);
    }
    return FilterSpec.of(DEFLATE, FilterFlag.OPTIONAL, level);
  }

  /** A checksum after the data. */
  public static FilterSpec fletcher32() {
    return FilterSpec.of(FLETCHER32, FilterFlag.MANDATORY);
  }

  /** The name of a filter that the HDF5 library brings along. */
  static Optional<String> nameOf(int id) {
    return switch (id) {
      case DEFLATE -> Optional.of("deflate");
      case SHUFFLE -> Optional.of("shuffle");
      case FLETCHER32 -> Optional.of("fletcher32");
      case 4 -> Optional.of("szip");
      case 5 -> Optional.of("nbit");
      case 6 -> Optional.of("scaleoffset");
      default -> Optional.empty();
    };
  }
}
