package io.skerry.jobs.inspect;

import io.skerry.value.Value;
import java.util.Optional;

/** Prints values in row-major order. */
interface ValuePrinter {
  /**
   * Begins the output for a dataset or attribute.
   *
   * @param name the path of the dataset, or the path of an object followed by {@code @} and the
   *     name of its attribute
   * @param shape the text of the shape
   * @param type the text of the datatype
   */
  void begin(String name, String shape, String type);

  /**
   * Prints the next value.
   *
   * @param coordinates the coordinates of the element; empty for a scalar
   * @param value the value; empty if the element is not defined
   */
  void value(long[] coordinates, Optional<Value> value);

  /** Ends the output for the dataset or attribute. */
  void end();
}
