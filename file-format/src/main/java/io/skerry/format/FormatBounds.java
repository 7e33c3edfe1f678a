package io.skerry.format;

/**
 * The oldest HDF5 release that can read the objects that a program creates, except those that need
 * a newer feature, such as sparse datasets. The bounds apply to new objects only; an existing
 * object keeps its version when it is modified.
 */
public enum FormatBounds {
  /**
   * Readable by every HDF5 release since 1.6.3: superblock 0, object headers of version 1, groups
   * as symbol tables, data layout message of version 3, chunk indexes as version 1 B-trees. Some
   * features require a newer form. As in the C library, a group that tracks link creation order, or
   * has an external or user-defined link or a link with a non-ASCII name, uses link messages, and a
   * null dataspace uses version 2 of its message. An object that tracks the creation order of its
   * attributes has an object header of version 2; if it is a group, it also uses link messages. A
   * virtual dataset uses version 4 of the data layout message. A sparse dataset uses structured
   * chunks (layout class 4). Unfiltered edge chunks, the early allocation of chunks and, in an
   * object header of version 1, an attribute that needs more than about 64 KiB are rejected.
   */
  EARLIEST,
  /**
   * Readable by HDF5 1.10 and later: superblock 3, object headers of version 2, and version 4 of
   * the data layout message for chunked datasets. The default for new files.
   */
  V110,
  /**
   * Readable by HDF5 2.0 and later: like {@link #V110}, but with version 5 of the data layout
   * message for chunked datasets that are not allocated early, and with newer encodings of the
   * mappings of virtual datasets. In version 5 of the message, a chunk index stores the size of a
   * filtered chunk in eight bytes.
   */
  V200
}
