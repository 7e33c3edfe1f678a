package io.skerry;

import io.skerry.datatype.Datatype;

/** A datatype committed to a file under a name. */
public non-sealed interface NamedDatatype extends H5Object {
  /** The type. Local. */
  Datatype datatype();
}
