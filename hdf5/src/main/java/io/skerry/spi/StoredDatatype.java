package io.skerry.spi;

import io.skerry.datatype.Datatype;

/** A datatype that a connector keeps under a name. */
public non-sealed interface StoredDatatype extends StoredObject {
  /** The type. Local. */
  Datatype datatype();
}
