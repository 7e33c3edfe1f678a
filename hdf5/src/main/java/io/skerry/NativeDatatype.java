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
  private Attributes attributesHere() {
    return new Attributes(file, path, address);
  }

  @Override
  public List<Attribute> attributes() {
    return attributesHere().all();
  }

  @Override
  public void setAttribute(Attribute attribute) {
    attributesHere().set(attribute);
  }

  @Override
  public void setAttribute(String name, Datatype type, Shape shape, List<Value> values) {
    attributesHere().set(name, type, shape, values);
  }

  @Override
  public void setAttribute(String name, String typePath, Shape shape, List<Value> values) {
    attributesHere().set(name, typePath, shape, values);
  }

  @Override
  public void deleteAttribute(String name) {
    attributesHere().delete(name);
  }

  @Override
  public void renameAttribute(String from, String to) {
    attributesHere().rename(from, to);
  }
}
