package io.skerry.jobs.interchange.form;

import io.skerry.datatype.Datatype;
import java.util.List;

/** Elements of an array that are read from one of the forms. */
public interface ElementSource {
  /** Extent of the array. */
  long[] extent();

  /** Type of the elements. */
  Datatype datatype();

  /** One element: what those are that are not listed. */
  byte[] fillValue();

  /** Number of elements that {@link #forEach} visits. */
  long count();

  /** Names of what stands beside the array and is not read. */
  default List<String> ignored() {
    return List.of();
  }

  /** Visits the elements in any order. */
  void forEach(ElementSink sink);
}
