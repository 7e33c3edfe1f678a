package io.skerry.jobs.interchange.form;

import io.skerry.datatype.Datatype;
import java.util.List;

/** An array in an interchange form, whose elements can be read. */
public interface ElementSource {
  /** Returns the extent of the array. */
  long[] extent();

  /** Returns the datatype of the elements. */
  Datatype datatype();

  /** Returns the bytes of the fill value, the value of elements that are not listed. */
  byte[] fillValue();

  /** Returns the number of elements that {@link #forEach} visits. */
  long count();

  /**
   * Returns the names of those links in the array's group that are not part of the array; empty if
   * there are none or if the form does not report them.
   */
  default List<String> ignored() {
    return List.of();
  }

  /** Visits the elements, in any order. */
  void forEach(ElementSink sink);
}
