package io.skerry.internal.copy;

import io.skerry.CopyOption;
import io.skerry.internal.file.NativeFile;
import io.skerry.internal.file.ObjectLocation;
import java.util.Set;
import java.util.function.LongUnaryOperator;

/**
 * Determines the values of references in a copy. By default, a copy between files sets all
 * references to objects of the source file to null, since an address is valid in only one file. A
 * copy within a file keeps the values of references. With {@link CopyOption#KEEP_INNER_REFERENCES}
 * or {@link CopyOption#EXPAND_REFERENCES}, references to copied objects refer to the copies
 * instead.
 */
final class ReferenceRule {
  private final CopiedObjects copies;
  private final NativeFile target;
  private final boolean follows;

  ReferenceRule(CopiedObjects copies, NativeFile target, Set<CopyOption> options) {
    this.copies = copies;
    this.target = target;
    this.follows =
        options.contains(CopyOption.KEEP_INNER_REFERENCES)
            || options.contains(CopyOption.EXPAND_REFERENCES);
  }

  /**
   * Returns a function from the address of an object in a file to its new address; the result is 0
   * if references to the object become null.
   */
  LongUnaryOperator objects(NativeFile from) {
    if (keepsAll(from)) {
      return address -> address;
    }
    boolean same = from == target;
    return address ->
        follows ? copies.copyOf(new ObjectLocation(from, address)).orElse(same ? address : 0) : 0;
  }

  /** Returns whether all references in a file keep their values. */
  boolean keepsAll(NativeFile from) {
    return from == target && !follows;
  }
}
