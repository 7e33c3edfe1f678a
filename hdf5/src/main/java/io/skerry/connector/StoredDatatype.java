package io.skerry.connector;

import io.skerry.chunk.type.Datatype;

/** A datatype that a connector keeps under a name. */
public non-sealed interface StoredDatatype extends StoredObject {
  /** The type. Local. */
  Datatype datatype();
}
