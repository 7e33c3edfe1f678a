package io.skerry;

import io.skerry.chunk.type.Datatype;
import io.skerry.format.object.DatatypeMessage;
import io.skerry.format.object.LayoutMessage;
import io.skerry.format.object.ObjectHeader;
import io.skerry.format.object.SharedReference;

/** Datatypes that objects share by a reference to where they are committed. */
final class CommittedTypes {
  private CommittedTypes() {}

  /** How objects refer to the datatype at a path, which must be the expected one. */
  static SharedReference reference(NativeFile file, String path, Datatype expected) {
    long address = Resolver.hardAddress(file, path);
    ObjectHeader header = file.tree().header(address);
    if (header.find(LayoutMessage.class).isPresent()
        || header.find(DatatypeMessage.class).isEmpty()) {
      throw new NoSuchObjectException("not a named datatype", path, file.path().toString());
    }
    Datatype actual = header.require(DatatypeMessage.class).datatype();
    if (!actual.equals(expected)) {
      throw new IllegalArgumentException(
          "the named datatype is another one: path="
              + path
              + " expected="
              + expected
              + " actual="
              + actual);
    }
    return new SharedReference.Committed(address);
  }

  /** Counts one more, or one less, object that shares a datatype. */
  static void count(ObjectTree tree, SharedReference reference, int change) {
    if (reference instanceof SharedReference.Committed(long address)) {
      tree.countReference(address, change);
    }
  }
}
