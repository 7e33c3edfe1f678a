package io.skerry.spi;

/** An object that a connector stores under a path: a group, a dataset or a named datatype. */
public sealed interface StoredObject permits StoredGroup, StoredDataset, StoredDatatype {
  /**
   * Returns the path with which the object was opened or, if an external link led to it in another
   * file, its path through hard links in that file. Local, thread-safe; does not fail.
   *
   * @return the absolute path
   */
  String path();

  /**
   * Returns the path in a form that uses little memory for deeply nested objects. Local,
   * thread-safe; does not fail.
   *
   * @return the path
   */
  default ObjectPath location() {
    return ObjectPath.of(path());
  }

  /**
   * Returns the file that contains the object. If the object was reached through an external link,
   * this is the file to which the link leads. Local, thread-safe; does not fail.
   *
   * @return the file
   */
  StoredFile file();

  /**
   * Returns the attributes of the object. Local, thread-safe; does not fail.
   *
   * @return the attributes; their methods are marked as collective or local
   */
  StoredAttributes attributes();
}
