package io.skerry;

import io.skerry.chunk.space.Shape;
import io.skerry.chunk.type.Datatype;
import io.skerry.connector.ObjectPath;
import io.skerry.connector.StoredDataset;
import io.skerry.connector.StoredDatatype;
import io.skerry.connector.StoredGroup;
import io.skerry.connector.StoredObject;
import io.skerry.value.Value;
import java.util.List;
import java.util.Optional;

/** Something in a file that can have attributes: a group, a dataset or a named datatype. */
public abstract sealed class H5Object permits Group, Dataset, NamedDatatype {
  private final H5File file;
  private final StoredObject stored;

  H5Object(H5File file, StoredObject stored) {
    this.file = file;
    this.stored = stored;
  }

  /** The object that a connector gave to a file, which may be one of another file. */
  static H5Object of(H5File asked, StoredObject stored) {
    H5File file = asked.owning(stored.file());
    return switch (stored) {
      case StoredGroup group -> new Group(file, group);
      case StoredDataset dataset -> new Dataset(file, dataset);
      case StoredDatatype datatype -> new NamedDatatype(file, datatype);
    };
  }

  /** The path it was found at. Local. */
  public String path() {
    return stored.path();
  }

  /**
   * The path for reports and messages: one longer than {@link ObjectPath#LONGEST_SHOWN} characters
   * is shortened in the middle, see {@link ObjectPath#shown}. Local.
   */
  public String shownPath() {
    return stored.location().shown();
  }

  /** The file that it is in: another one behind an external link. Local. */
  public H5File file() {
    return file;
  }

  /** Its attributes, in creation order if it keeps that. Local. */
  public List<Attribute> attributes() {
    return stored.attributes().all();
  }

  /** The attribute of that name. Local. */
  public Optional<Attribute> attribute(String name) {
    return attributes().stream().filter(a -> a.name().equals(name)).findFirst();
  }

  /** Sets or replaces an attribute. Collective. */
  public void setAttribute(Attribute attribute) {
    stored.attributes().set(attribute);
  }

  /**
   * Sets or replaces an attribute of any type, with content of variable length and references.
   * Collective; the same on all ranks.
   *
   * @param values one per element, row-major
   */
  public void setAttribute(String name, Datatype type, Shape shape, List<Value> values) {
    stored.attributes().set(name, type, shape, values);
  }

  /**
   * Sets or replaces an attribute that shares a named datatype of the same file. Collective; the
   * same on all ranks.
   *
   * @param values one per element, row-major
   * @throws IllegalArgumentException if the type is one of another file
   */
  public void setAttribute(String name, NamedDatatype type, Shape shape, List<Value> values) {
    if (!type.file().path().equals(file.path())) {
      throw new IllegalArgumentException(
          "the named datatype is in another file: attribute="
              + name
              + " expected="
              + file.path()
              + " actual="
              + type.file().path());
    }
    stored.attributes().set(name, type.path(), shape, values);
  }

  /** Removes an attribute. Collective. */
  public void deleteAttribute(String name) {
    stored.attributes().delete(name);
  }

  /** Gives an attribute another name. Collective. */
  public void renameAttribute(String from, String to) {
    stored.attributes().rename(from, to);
  }
}
