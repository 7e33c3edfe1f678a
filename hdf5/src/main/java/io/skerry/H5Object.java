package io.skerry;

import io.skerry.datatype.Datatype;
import io.skerry.selection.Shape;
import io.skerry.spi.ObjectPath;
import io.skerry.value.Value;
import java.util.List;
import java.util.Optional;

/** Something in a file that can have attributes: a group, a dataset or a named datatype. */
public sealed interface H5Object permits Group, Dataset, NamedDatatype {
  /** The path it was found at. Local. */
  String path();

  /**
   * The path for reports and messages: one longer than {@link ObjectPath#LONGEST_SHOWN} characters
   * is shortened in the middle, by {@link ObjectPath#shown}. Local.
   */
  String shownPath();

  /** The file that it is in: another one behind an external link. Local. */
  H5File file();

  /** Its attributes, in creation order if it keeps that. Local. */
  List<Attribute> attributes();

  /** The attribute of that name. Local. */
  Optional<Attribute> attribute(String name);

  /** Sets or replaces an attribute. Collective. */
  void setAttribute(Attribute attribute);

  /**
   * Sets or replaces an attribute of any type, with content of variable length and references.
   * Collective; the same on all ranks.
   *
   * @param values one per element, row-major
   */
  void setAttribute(String name, Datatype type, Shape shape, List<Value> values);

  /**
   * Sets or replaces an attribute that shares a named datatype of the same file. Collective; the
   * same on all ranks.
   *
   * @param values one per element, row-major
   * @throws IllegalArgumentException if the type is one of another file
   */
  void setAttribute(String name, NamedDatatype type, Shape shape, List<Value> values);

  /** Removes an attribute. Collective. */
  void deleteAttribute(String name);

  /** Gives an attribute another name. Collective. */
  void renameAttribute(String from, String to);
}
