package io.skerry.internal.copy;

import io.skerry.internal.file.ObjectLocation;
import io.skerry.spi.ObjectPath;

/**
 * An object to be copied.
 *
 * @param path the path at which the object was found
 * @param depth the number of copied groups above the object; {@link Integer#MAX_VALUE} if the
 *     object is a committed datatype that was found through a dataset or an attribute
 */
record FoundObject(ObjectLocation location, ObjectPath path, int depth) {
  /** The depth of a committed datatype that is found through a dataset or an attribute. */
  private static final int ENDLESS = Integer.MAX_VALUE;

  private static final ObjectPath A_DATATYPE = ObjectPath.of("(a datatype)");

  /** Describes the object at which a copy starts. */
  static FoundObject top(ObjectLocation location, ObjectPath path) {
    return new FoundObject(location, path, 0);
  }

  /** Describes a committed datatype that is found through a dataset or attribute that uses it. */
  static FoundObject committedType(ObjectLocation location) {
    return new FoundObject(location, A_DATATYPE, ENDLESS);
  }

  /** Describes a member of this group. */
  FoundObject member(ObjectLocation member, String name) {
    return new FoundObject(member, path.child(name), depth + 1);
  }
}
