package io.skerry.format;

/**
 * The oldest HDF5 release that can read the objects that a program creates. The bounds apply to new
 * objects only; an existing object keeps its version when it is modified.
 */
public enum FormatBounds {
  /**
   * Readable by every HDF5 release: superblock 0, object headers of version 1, groups as symbol
   * tables, chunk indexes as version 1 B-trees. An object that needs a newer feature uses the newer
   * form. As in the C library, a group that tracks link creation order, or has an external link or
   * a link with a non-ASCII name, uses link messages, and a null dataspace uses version 2 of its
   * message. A sparse dataset uses structured chunks (layout class 4). Attributes larger than 64
   * KiB are rejected.
   */
  EARLIEST,
  /**
   * Readable by HDF5 1.10 and later: superblock 3, object headers of version 2, data layout message
   * of version 4. The default for new files.
   */
  V110,
  /**
   * Readable by HDF5 2.0 and later: like {@link #V110}, but with version 5 of the data layout
   * message for chunked datasets. In that version, a chunk index stores the size of a filtered
   * chunk in eight bytes.
   */
  V200
}
