package io.skerry.internal.copy;

import io.skerry.CopyOption;
import io.skerry.internal.file.NativeFile;
import io.skerry.internal.file.ObjectLocation;
import java.util.Set;
import java.util.function.LongUnaryOperator;

/**
 * What becomes of references to objects in a copy. Between files they become null, as an address of
 * one file means nothing in another, unless an option says that they follow their objects.
 */
final class ReferenceRule {
  private final CopyTree tree;
  private final NativeFile target;
  private final boolean follows;

  ReferenceRule(CopyTree tree, NativeFile target, Set<CopyOption> options) {
    this.tree = tree;
    this.target = target;
    this.follows =
        options.contains(CopyOption.KEEP_INNER_REFERENCES)
            || options.contains(CopyOption.EXPAND_REFERENCES);
  }

  /** Gives the new address of an object of a file; 0 for none. */
  LongUnaryOperator objects(NativeFile from) {
    if (keepsAll(from)) {
      return address -> address;
    }
    boolean same = from == target;
    return address ->
        follows ? tree.copyOf(new ObjectLocation(from, address)).orElse(same ? address : 0) : 0;
  }

  /** Returns whether references of a file stay as they are. */
  boolean keepsAll(NativeFile from) {
    return from == target && !follows;
  }
}
