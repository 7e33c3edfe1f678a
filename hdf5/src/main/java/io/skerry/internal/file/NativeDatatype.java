package io.skerry.internal.file;

import io.skerry.datatype.Datatype;
import io.skerry.spi.ObjectPath;
import io.skerry.spi.StoredDatatype;

/**
 * A committed datatype of an HDF5 file.
 *
 * @param address the address of its header
 */
record NativeDatatype(NativeFile file, ObjectPath location, long address, Datatype datatype)
    implements StoredDatatype {
  @Override
  public String path() {
    return location.toString();
  }

  @Override
  public Attributes attributes() {
    return new Attributes(file, location, address);
  }
}
