package io.skerry.spi;

import io.skerry.NamedDatatype;
import io.skerry.datatype.Datatype;

/** Implements {@link NamedDatatype} with a {@link StoredDatatype} of a connector. */
final class ConnectedDatatype extends ConnectedObject implements NamedDatatype {
  private final StoredDatatype stored;

  ConnectedDatatype(ConnectedFile file, StoredDatatype stored) {
    super(file, stored);
    this.stored = stored;
  }

  @Override
  public Datatype datatype() {
    return stored.datatype();
  }
}
