package io.skerry;

import io.skerry.datatype.Datatype;
import io.skerry.selection.Shape;
import io.skerry.spi.ObjectPath;
import io.skerry.value.Value;
import java.util.List;
import java.util.Optional;

/**
 * An object in a file that can have attributes: a group, dataset, named datatype or map. If a
 * collective method fails on any rank, it throws {@link io.skerry.parallel.CollectiveException} on
 * all ranks, and no attribute has changed. If the communication between the ranks itself fails, it
 * throws {@link io.skerry.mpi.MpiException}; after a failed commit, it throws {@link
 * IllegalStateException}. Local methods throw {@link io.skerry.exception.FormatException}, {@link
 * io.skerry.exception.UnsupportedFeatureException}, {@link
 * io.skerry.exception.MemoryLimitException} or {@link io.skerry.mpi.MpiException} if the metadata
 * that they need cannot be read.
 */
public sealed interface H5Object permits Group, Dataset, NamedDatatype, MapObject {
  /**
   * Returns the path with which the object was opened or, if an external link led to it in another
   * file, a path through hard links in that file. Local, thread-safe; does not fail.
   *
   * @return the absolute path
   */
  String path();

  /**
   * Returns the path for reports and messages: a path longer than {@link ObjectPath#LONGEST_SHOWN}
   * characters is shortened in the middle, by {@link ObjectPath#shown}. Local, thread-safe; does
   * not fail.
   *
   * @return the path, shortened if it is long
   */
  String shownPath();

  /**
   * Returns the file that contains the object. If an external link led to the object, this is the
   * file to which the link refers. Local, thread-safe; does not fail.
   *
   * @return the file
   */
  H5File file();

  /**
   * Returns the attributes of the object. Local, thread-safe.
   *
   * @return the attributes in creation order if the object tracks it; empty if there are none
   * @throws IllegalStateException if the file is closed
   * @throws io.skerry.exception.FormatException if an attribute is damaged
   */
  List<Attribute> attributes();

  /**
   * Returns the attribute with the given name. Local, thread-safe.
   *
   * @param name the name of the attribute
   * @return the attribute; empty if there is none with that name
   * @throws IllegalStateException if the file is closed
   * @throws io.skerry.exception.FormatException if an attribute is damaged
   */
  Optional<Attribute> attribute(String name);

  /**
   * Adds or replaces an attribute. Collective.
   *
   * @param attribute the attribute, equal on all ranks
   * @throws io.skerry.parallel.CollectiveException on all ranks if the name contains a NUL, if the
   *     name or the datatype needs more than 65,535 bytes, if the extent has more than 2^63 - 1
   *     elements or a different size than the bytes of the attribute, if the object header has
   *     version 1 and cannot hold the attribute because it needs more than about 64 KiB or there
   *     are already 65,000 attributes, if the object tracks the creation order of its attributes
   *     and has already had 65,535 of them, if the existing attributes are damaged, or if the ranks
   *     pass different attributes; in a container, also if the name is empty, a variable-length
   *     type or a region reference is nested in a variable-length type, or an element contains a
   *     variable-length value or a region reference that is not null
   * @throws IllegalStateException if the file is closed or open for reading only
   */
  void setAttribute(Attribute attribute);

  /**
   * Adds or replaces an attribute of any type, including variable-length types and references.
   * Collective; all ranks pass equal arguments.
   *
   * @param name the name of the attribute
   * @param type the datatype of an element
   * @param shape the extent
   * @param values one value for each element, row-major
   * @throws io.skerry.parallel.CollectiveException on all ranks if the number of values differs
   *     from the number of elements, a value does not fit the type, the ranks pass different
   *     arguments, disk space is insufficient, or the attribute cannot be stored as in {@link
   *     #setAttribute(Attribute)}
   * @throws IllegalStateException if the file is closed or open for reading only
   */
  void setAttribute(String name, Datatype type, Shape shape, List<Value> values);

  /**
   * Adds or replaces an attribute that shares a named datatype of the same file. Collective; all
   * ranks pass equal arguments.
   *
   * @param name the name of the attribute
   * @param type the named datatype, opened through hard links only
   * @param shape the extent
   * @param values one value for each element, row-major
   * @throws io.skerry.parallel.CollectiveException on all ranks if the datatype belongs to another
   *     file, the number of values differs from the number of elements, a value does not fit the
   *     type, there is no named datatype at the path of {@code type}, the ranks pass different
   *     arguments, disk space is insufficient, or the attribute cannot be stored as in {@link
   *     #setAttribute(Attribute)}
   * @throws IllegalStateException if the file is closed or open for reading only
   */
  void setAttribute(String name, NamedDatatype type, Shape shape, List<Value> values);

  /**
   * Removes an attribute. Collective.
   *
   * @param name the name of the attribute, equal on all ranks
   * @throws io.skerry.parallel.CollectiveException on all ranks if there is no such attribute, the
   *     attributes are damaged, or the ranks pass different names
   * @throws IllegalStateException if the file is closed or open for reading only
   */
  void deleteAttribute(String name);

  /**
   * Renames an attribute. Collective.
   *
   * @param from the current name, equal on all ranks
   * @param to the new name, equal on all ranks
   * @throws io.skerry.parallel.CollectiveException on all ranks if there is no attribute with the
   *     current name, the new name is taken, contains a NUL, needs more than 65,535 bytes or makes
   *     the attribute too large for an object header of version 1, the attributes are damaged, or
   *     the ranks pass different names
   * @throws IllegalStateException if the file is closed or open for reading only
   */
  void renameAttribute(String from, String to);
}
