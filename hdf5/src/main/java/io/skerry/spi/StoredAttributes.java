package io.skerry.spi;

import io.skerry.Attribute;
import io.skerry.datatype.Datatype;
import io.skerry.selection.Shape;
import io.skerry.value.Value;
import java.util.List;

/** The attributes of one object as a connector keeps them. */
public interface StoredAttributes {
  /** All, in creation order if the object keeps it. Local. */
  List<Attribute> all();

  /** Sets or replaces an attribute. Collective; the same on all ranks. */
  void set(Attribute attribute);

  /**
   * Sets or replaces an attribute of any type, with content of variable length and references.
   * Collective; the same on all ranks.
   *
   * @param values one per element, row-major
   */
  void set(String name, Datatype type, Shape shape, List<Value> values);

  /**
   * Sets or replaces an attribute that shares a named datatype. Collective; the same on all ranks.
   *
   * @param typePath of a named datatype of this file
   * @param values one per element, row-major
   */
  void set(String name, String typePath, Shape shape, List<Value> values);

  /** Removes an attribute. Collective. */
  void delete(String name);

  /** Gives an attribute another name. Collective. */
  void rename(String from, String to);
}
