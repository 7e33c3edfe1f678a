package io.skerry.spi;

import io.skerry.datatype.Datatype;

/** A datatype that a connector stores under a path. */
public non-sealed interface StoredDatatype extends StoredObject {
  /**
   * Returns the datatype. Local, thread-safe; does not fail.
   *
   * @return the datatype, which includes the size of an element in bytes
   */
  Datatype datatype();
}
