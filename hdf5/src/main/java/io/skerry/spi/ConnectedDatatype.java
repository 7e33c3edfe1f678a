package io.skerry.spi;

import io.skerry.NamedDatatype;
import io.skerry.datatype.Datatype;

/** A committed datatype of a file that a connector stores. */
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
