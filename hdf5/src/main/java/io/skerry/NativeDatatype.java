package io.skerry;

import io.skerry.chunk.space.Shape;
import io.skerry.chunk.type.Datatype;
import io.skerry.connector.StoredDatatype;
import io.skerry.value.Value;
import java.util.List;

/**
 * A committed datatype of an HDF5 file.
 *
 * @param address of its header
 */
record NativeDatatype(NativeFile file, String path, long address, Datatype datatype)
    implements StoredDatatype {
  @Override
  public List<Attribute> attributes() {
    return Attributes.of(file, address);
  }

  @Override
  public void setAttribute(Attribute attribute) {
    Attributes.set(file, path, address, attribute);
  }

  @Override
  public void setAttribute(String name, Datatype type, Shape shape, List<Value> values) {
    Attributes.set(file, path, address, name, type, shape, values);
  }

  @Override
  public void deleteAttribute(String name) {
    Attributes.delete(file, path, address, name);
  }

  @Override
  public void renameAttribute(String from, String to) {
    Attributes.rename(file, path, address, from, to);
  }
}
