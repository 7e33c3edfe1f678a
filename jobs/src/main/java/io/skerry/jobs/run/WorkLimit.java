package io.skerry.jobs.run;

import java.util.OptionalLong;

/**
 * The limit on the work of a command, as {@link WorkBudget} counts it: mainly the total size of the
 * processed elements, stored or not. It protects against datasets with a huge extent: a few bytes
 * of metadata can describe more fill values than any computer can process.
 *
 * @param bytes the maximum work of one run, in bytes; if empty, the larger of {@link #LEAST} and
 *     {@link #RATIO} times the size of the files that store the elements
 */
public record WorkLimit(OptionalLong bytes) {
  /** The minimum of the default limit, in bytes. */
  static final long LEAST = 256L << 20;

  /** The default limit, as a multiple of the size of the files that store the elements. */
  static final long RATIO = 20_000;

  /** Returns the default limit, which depends on the size of the files. */
  public static WorkLimit standard() {
    return new WorkLimit(OptionalLong.empty());
  }

  /** Returns the highest limit, 2^63 - 1 bytes, which no run can reach. */
  public static WorkLimit none() {
    return new WorkLimit(OptionalLong.of(Long.MAX_VALUE));
  }

  /**
   * Returns the maximum work of a run, in bytes.
   *
   * @param fileBytes the size of the files that store the elements, in bytes
   */
  public long allowed(long fileBytes) {
    return bytes.orElse(
        fileBytes > Long.MAX_VALUE / RATIO ? Long.MAX_VALUE : Math.max(LEAST, fileBytes * RATIO));
  }
}
