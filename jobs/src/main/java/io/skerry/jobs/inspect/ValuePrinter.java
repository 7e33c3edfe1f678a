package io.skerry.jobs.inspect;

import io.skerry.value.Value;
import java.util.Optional;

/** Prints values in row-major order. */
interface ValuePrinter {
  /**
   * Begins a dataset or attribute.
   *
   * @param shape as text
   * @param type as text
   */
  void begin(String name, String shape, String type);

  /**
   * The next value.
   *
   * @param coordinates where it is; empty for a scalar
   * @param value empty if the element is not defined
   */
  void value(long[] coordinates, Optional<Value> value);

  /** Ends what was begun. */
  void end();
}
