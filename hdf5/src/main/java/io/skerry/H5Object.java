package io.skerry;

import java.util.List;
import java.util.Optional;

/** Something in a file that has a header: a group, a dataset or a named datatype. */
public sealed interface H5Object permits Group, Dataset, NamedDatatype {
  /** The path it was found at. */
  String path();

  /** Its attributes, in the order stored. Local. */
  List<Attribute> attributes();

  /** The attribute of that name. Local. */
  default Optional<Attribute> attribute(String name) {
    return attributes().stream().filter(a -> a.name().equals(name)).findFirst();
  }
}
