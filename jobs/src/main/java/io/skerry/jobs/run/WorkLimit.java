package io.skerry.jobs.run;

import java.util.OptionalLong;

/**
 * The limit of the elements that a command works through, stored or not. An extent is a number in a
 * file: a few bytes can ask for fill values that no computer finishes.
 *
 * @param bytes of elements in one run; if absent, {@link #LEAST} or {@link #RATIO} times the bytes
 *     of the files that hold the elements, whichever is more
 */
public record WorkLimit(OptionalLong bytes) {
  /** Bytes of elements that every run may work through: about a second. */
  static final long LEAST = 256L << 20;

  /** Bytes of elements for each byte of the files: more than the sparsest recordings have. */
  static final long RATIO = 20_000;

  public static WorkLimit standard() {
    return new WorkLimit(OptionalLong.empty());
  }

  public static WorkLimit none() {
    return new WorkLimit(OptionalLong.of(Long.MAX_VALUE));
  }

  /**
   * The bytes of elements for a run.
   *
   * @param held bytes of the files that hold the elements
   */
  public long allowed(long held) {
    return bytes.orElse(
        held > Long.MAX_VALUE / RATIO ? Long.MAX_VALUE : Math.max(LEAST, held * RATIO));
  }
}
