package io.skerry.iod.connector;

import io.skerry.datatype.Datatype;
import io.skerry.iod.object.ObjectId;
import io.skerry.spi.ObjectPath;
import io.skerry.spi.StoredAttributes;
import io.skerry.spi.StoredDatatype;
import io.skerry.spi.StoredFile;

/**
 * A committed datatype of a container.
 *
 * @param owner the file
 * @param location the path with which the datatype was opened
 * @param id the identifier
 * @param datatype the datatype
 */
record IodDatatype(IodFile owner, ObjectPath location, ObjectId id, Datatype datatype)
    implements StoredDatatype {
  @Override
  public StoredFile file() {
    return owner;
  }

  @Override
  public String path() {
    return location.toString();
  }

  @Override
  public StoredAttributes attributes() {
    return new IodAttributes(owner, location, id);
  }
}
