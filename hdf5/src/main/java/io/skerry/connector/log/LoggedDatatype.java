package io.skerry.connector.log;

import io.skerry.Attribute;
import io.skerry.chunk.space.Shape;
import io.skerry.chunk.type.Datatype;
import io.skerry.connector.StoredDatatype;
import io.skerry.value.Value;
import java.util.List;

/**
 * A named datatype whose calls are logged.
 *
 * @param below the datatype that does the work
 * @param file the file that it is in
 */
record LoggedDatatype(StoredDatatype below, LoggedFile file) implements StoredDatatype {
  @Override
  public String path() {
    return below.path();
  }

  @Override
  public LoggedFile file() {
    return file;
  }

  @Override
  public Datatype datatype() {
    return below.datatype();
  }

  @Override
  public List<Attribute> attributes() {
    return new LoggedAttributes(below, file).all();
  }

  @Override
  public void setAttribute(Attribute attribute) {
    new LoggedAttributes(below, file).set(attribute);
  }

  @Override
  public void setAttribute(String name, Datatype type, Shape shape, List<Value> values) {
    new LoggedAttributes(below, file).set(name, type, shape, values);
  }

  @Override
  public void setAttribute(String name, String typePath, Shape shape, List<Value> values) {
    new LoggedAttributes(below, file).set(name, typePath, shape, values);
  }

  @Override
  public void deleteAttribute(String name) {
    new LoggedAttributes(below, file).delete(name);
  }

  @Override
  public void renameAttribute(String from, String to) {
    new LoggedAttributes(below, file).rename(from, to);
  }
}
