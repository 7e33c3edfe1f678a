package io.skerry.connector;

import io.skerry.Attribute;
import io.skerry.chunk.space.Shape;
import io.skerry.chunk.type.Datatype;
import io.skerry.value.Value;
import java.util.List;

/** Something that a connector keeps under a path: a group, a dataset or a named datatype. */
public sealed interface StoredObject permits StoredGroup, StoredDataset, StoredDatatype {
  /** The path it was found at. Local. */
  String path();

  /** The file that it is in: another one behind an external link. Local. */
  StoredFile file();

  /** Its attributes, in creation order if the object keeps it. Local. */
  List<Attribute> attributes();

  /** Sets or replaces an attribute. Collective; the same on all ranks. */
  void setAttribute(Attribute attribute);

  /**
   * Sets or replaces an attribute of any type, with content of variable length and references.
   * Collective; the same on all ranks.
   *
   * @param values one per element, row-major
   */
  void setAttribute(String name, Datatype type, Shape shape, List<Value> values);

  /**
   * Sets or replaces an attribute that shares a named datatype. Collective; the same on all ranks.
   *
   * @param typePath of a named datatype of this file
   * @param values one per element, row-major
   */
  void setAttribute(String name, String typePath, Shape shape, List<Value> values);

  /** Removes an attribute. Collective. */
  void deleteAttribute(String name);

  /** Gives an attribute another name. Collective. */
  void renameAttribute(String from, String to);
}
