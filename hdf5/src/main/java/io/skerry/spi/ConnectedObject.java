package io.skerry.spi;

import io.skerry.Attribute;
import io.skerry.H5File;
import io.skerry.H5Object;
import io.skerry.NamedDatatype;
import io.skerry.datatype.Datatype;
import io.skerry.parallel.Operation;
import io.skerry.selection.Shape;
import io.skerry.value.Value;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Implements the methods that all kinds of objects have in common, with a {@link StoredObject} of a
 * connector.
 */
abstract class ConnectedObject {
  /**
   * Wraps an object of a connector. The object belongs to a file other than {@code asked} if an
   * external link to that file led to it.
   */
  static H5Object of(ConnectedFile asked, StoredObject stored) {
    ConnectedFile file = asked.owning(stored.file());
    return switch (stored) {
      case StoredGroup group -> new ConnectedGroup(file, group);
      case StoredDataset dataset -> new ConnectedDataset(file, dataset);
      case StoredDatatype datatype -> new ConnectedDatatype(file, datatype);
      case StoredObject.StoredMap map -> new ConnectedMap(file, map);
    };
  }

  private final ConnectedFile file;

  private final StoredObject stored;

  ConnectedObject(ConnectedFile file, StoredObject stored) {
    this.file = file;
    this.stored = stored;
  }

  public String path() {
    return stored.path();
  }

  public String shownPath() {
    return stored.location().shown();
  }

  public H5File file() {
    return file;
  }

  ConnectedFile connectedFile() {
    return file;
  }

  public List<Attribute> attributes() {
    return stored.attributes().all();
  }

  public Optional<Attribute> attribute(String name) {
    Objects.requireNonNull(name);
    return attributes().stream().filter(a -> a.name().equals(name)).findFirst();
  }

  public void setAttribute(Attribute attribute) {
    file.require(Operation.WRITE_ATTRIBUTE, attribute);
    stored.attributes().set(attribute);
  }

  public void setAttribute(String name, Datatype type, Shape shape, List<Value> values) {
    file.require(Operation.WRITE_ATTRIBUTE, name, type, shape, values);
    stored.attributes().set(name, type, shape, values);
  }

  public void setAttribute(String name, NamedDatatype type, Shape shape, List<Value> values) {
    file.require(Operation.WRITE_ATTRIBUTE, name, type, shape, values);
    String typePath =
        file.prepared(Operation.WRITE_ATTRIBUTE, this::shownPath, () -> pathHere(name, type));
    stored.attributes().set(name, typePath, shape, values);
  }

  /** Returns the path of a named datatype, which must be in the file of this object. */
  private String pathHere(String name, NamedDatatype type) {
    if (!type.file().path().equals(file.path())) {
      throw new IllegalArgumentException(
          "the named datatype is in another file: attribute="
              + name
              + " expected="
              + file.path()
              + " actual="
              + type.file().path());
    }
    return type.path();
  }

  public void deleteAttribute(String name) {
    file.require(Operation.WRITE_ATTRIBUTE, name);
    stored.attributes().delete(name);
  }

  public void renameAttribute(String from, String to) {
    file.require(Operation.WRITE_ATTRIBUTE, from, to);
    stored.attributes().rename(from, to);
  }
}
