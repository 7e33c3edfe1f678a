package io.skerry.spi;

/** Something that a connector keeps under a path: a group, a dataset or a named datatype. */
public sealed interface StoredObject permits StoredGroup, StoredDataset, StoredDatatype {
  /** The path it was found at. Local. */
  String path();

  /** The same path in a form that takes little memory for objects nested deeply. Local. */
  default ObjectPath location() {
    return ObjectPath.of(path());
  }

  /** The file that it is in: another one behind an external link. Local. */
  StoredFile file();

  /** Its attributes. Local; what can be done with them tells whether it is collective. */
  StoredAttributes attributes();
}
