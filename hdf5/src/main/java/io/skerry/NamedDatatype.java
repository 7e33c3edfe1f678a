package io.skerry;

import io.skerry.datatype.Datatype;

/** A datatype that is committed to a file at a path. */
public non-sealed interface NamedDatatype extends H5Object {
  /**
   * Returns the datatype. Local, thread-safe; does not fail.
   *
   * @return the datatype, including the size of an element in bytes
   */
  Datatype datatype();
}
