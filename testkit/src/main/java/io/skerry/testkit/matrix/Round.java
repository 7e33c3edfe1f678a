package io.skerry.testkit.matrix;

import io.skerry.testkit.trial.Pick;
import java.util.List;

/** One thing that all ranks do together. */
sealed interface Round {

  /** What the values are like. */
  enum Values {
    /** Each another one, none of them zero. */
    DISTINCT,
    /** What no filter can shorten. */
    NOISE,
    /** What every compressor shortens. */
    ZEROS
  }

  /** What elements are in memory. */
  enum Memory {
    /** The same as in the file. */
    AS_STORED,
    /** Numbers of another class, byte order and size; members in another order. */
    OTHER,
    /** One member of three. */
    ONE_MEMBER
  }

  /**
   * A write.
   *
   * @param picks what each rank writes; the higher rank wins
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
