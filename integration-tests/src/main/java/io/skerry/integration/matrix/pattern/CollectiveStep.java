package io.skerry.integration.matrix.pattern;

import io.skerry.integration.random.PickedElements;
import java.util.List;

/** A collective step of a case. */
public sealed interface CollectiveStep {

  /** The kind of values to write. */
  enum Values {
    /** The values of a rank all differ, and none is zero. */
    DISTINCT,
    /** Random values, which compress poorly. */
    NOISE,
    /** Zeros, which compress well. */
    ZEROS
  }

  /** The type of the elements in memory. */
  enum Memory {
    /** The type of the file. */
    AS_STORED,
    /** Numbers of a different class, byte order or size; members in a different order. */
    OTHER,
    /** One of the three members of a compound. */
    ONE_MEMBER
  }

  /**
   * A write.
   *
   * @param picks the selection of each rank; where they overlap, the highest rank takes precedence
   */
  record Write(List<PickedElements> picks, Values values, Memory memory) implements CollectiveStep {
    public Write {
      picks = List.copyOf(picks);
    }

    Write(List<PickedElements> picks) {
      this(picks, Values.DISTINCT, Memory.AS_STORED);
    }
  }

  /** A change of extent. */
  record Resize(long[] extent) implements CollectiveStep {}

  /** A flush. */
  record Flush() implements CollectiveStep {}
}
