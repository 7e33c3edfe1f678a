package io.skerry;

import io.skerry.chunk.type.Datatype;
import io.skerry.connector.StoredDatatype;

/** A datatype committed to a file under a name. */
public final class NamedDatatype extends H5Object {
  private final StoredDatatype stored;

  NamedDatatype(H5File file, StoredDatatype stored) {
    super(file, stored);
    this.stored = stored;
  }

  /** The type. Local. */
  public Datatype datatype() {
    return stored.datatype();
  }
}
