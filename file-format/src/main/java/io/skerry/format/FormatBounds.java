package io.skerry.format;

/**
 * In which form new objects are written: for whom a file is meant. It binds only what is made anew;
 * objects that a file has keep their form when they change.
 */
public enum FormatBounds {
  /**
   * The form that every HDF5 reads: superblock 0, object headers of version 1, groups as symbol
   * tables, chunks in version 1 B-trees. What it cannot hold puts its own object into a newer form,
   * as in the C library: a group that keeps the order of its links, or has an external link or a
   * link whose name is not ASCII, has link messages; a sparse dataset has the layout of sparse
   * datasets; a null dataspace is of version 2. An attribute above 64 KiB is refused.
   */
  EARLIEST,
  /**
   * What HDF5 reads from 1.10 on: superblock 3, object headers of version 2, data layout 4. The
   * form of new files if nothing is said.
   */
  V110,
  /**
   * What HDF5 reads from 2.0 on: as {@link #V110}, with data layout 5 for chunks, whose sizes take
   * eight bytes in the index.
   */
  V200
}
