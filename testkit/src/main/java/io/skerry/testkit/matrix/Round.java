package io.skerry.testkit.matrix;

import io.skerry.testkit.trial.Pick;
import java.util.List;

/** A collective step of a case. */
sealed interface Round {

  /** The kind of the values. */
  enum Values {
    /** All values differ, and none is zero. */
    DISTINCT,
    /** Values that no filter can compress. */
    NOISE,
    /** Values that every filter compresses. */
    ZEROS
  }

  /** The type of the elements in memory. */
  enum Memory {
    /** The type of the file. */
    AS_STORED,
    /** Numbers of another class, byte order and size; members in another order. */
    OTHER,
    /** One member of three. */
    ONE_MEMBER
  }

  /**
   * A write.
   *
   * @param picks the selection of each rank; where they overlap, the higher rank wins
   */
  record Write(List<Pick> picks, Values values, Memory memory) implements Round {
    public Write {
      picks = List.copyOf(picks);
    }

    Write(List<Pick> picks) {
      this(picks, Values.DISTINCT, Memory.AS_STORED);
    }
  }

  /** A change of extent. */
  record Resize(long[] extent) implements Round {}

  /** A flush. */
  record Flush() implements Round {}
}
