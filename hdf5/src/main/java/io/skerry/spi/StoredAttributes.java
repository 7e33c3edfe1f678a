package io.skerry.spi;

import io.skerry.Attribute;
import io.skerry.datatype.Datatype;
import io.skerry.selection.Shape;
import io.skerry.value.Value;
import java.util.List;

/**
 * The attributes of one object of a connector. If a collective method fails on any rank, it throws
 * {@link io.skerry.parallel.CollectiveException} on all ranks, and no attribute has changed. If the
 * communication between the ranks itself fails, it throws {@link io.skerry.mpi.MpiException}; after
 * the commit of a flush of the file has failed, it throws {@link IllegalStateException}. If an
 * object of a container was deleted, the methods throw {@link IllegalStateException}, in a
 * collective method as the cause of a {@code CollectiveException}. {@link StoredFile} describes the
 * other failures of collective and local methods.
 */
public interface StoredAttributes {
  /**
   * Returns all attributes. Local, thread-safe.
   *
   * @return the attributes in creation order if the object tracks it; empty if there are none
   * @throws IllegalStateException if the file is closed
   * @throws io.skerry.exception.FormatException if an attribute is damaged
   */
  List<Attribute> all();

  /**
   * Adds or replaces an attribute. Collective.
   *
   * @param attribute the attribute, equal on all ranks
   * @throws io.skerry.parallel.CollectiveException on all ranks if any rank cannot store the
   *     attribute, or the ranks pass different attributes
   * @throws IllegalStateException if the file is closed or open for reading only
   */
  void set(Attribute attribute);

  /**
   * Adds or replaces an attribute of any type, including variable-length types and references.
   * Collective; all ranks pass equal arguments.
   *
   * @param name the name of the attribute
   * @param type the datatype of an element
   * @param shape the extent
   * @param values one value for each element, row-major
   * @throws io.skerry.parallel.CollectiveException on all ranks if the number of values differs
   *     from the number of elements, a value does not fit the type, the attribute cannot be stored,
   *     or the ranks pass different arguments
   * @throws IllegalStateException if the file is closed or open for reading only
   */
  void set(String name, Datatype type, Shape shape, List<Value> values);

  /**
   * Adds or replaces an attribute that shares a named datatype. Collective; all ranks pass equal
   * arguments.
   *
   * @param name the name of the attribute
   * @param typePath the path of a named datatype of this file, which leads through hard links only
   * @param shape the extent
   * @param values one value for each element, row-major
   * @throws io.skerry.parallel.CollectiveException on all ranks if the number of values differs
   *     from the number of elements, a value does not fit the type, there is no such datatype, the
   *     attribute cannot be stored, or the ranks pass different arguments
   * @throws IllegalStateException if the file is closed or open for reading only
   */
  void set(String name, String typePath, Shape shape, List<Value> values);

  /**
   * Removes an attribute. Collective.
   *
   * @param name the name of the attribute, equal on all ranks
   * @throws io.skerry.parallel.CollectiveException on all ranks if there is no such attribute, or
   *     the ranks pass different names
   * @throws IllegalStateException if the file is closed or open for reading only
   */
  void delete(String name);

  /**
   * Renames an attribute. Collective.
   *
   * @param from the current name, equal on all ranks
   * @param to the new name, equal on all ranks
   * @throws io.skerry.parallel.CollectiveException on all ranks if there is no attribute with the
   *     current name, the new name is already in use or cannot be stored, or the ranks pass
   *     different names
   * @throws IllegalStateException if the file is closed or open for reading only
   */
  void rename(String from, String to);
}
