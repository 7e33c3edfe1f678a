package io.skerry;

/**
 * An option for copying objects. {@link #SHALLOW}, {@link #WITHOUT_ATTRIBUTES} and the options
 * {@code EXPAND_*} have the same meaning as the {@code H5O_COPY} flags of the C library.
 */
public enum CopyOption {
  /** Copies the members of a group, but not the members of groups in it. */
  SHALLOW,
  /**
   * Copies the targets of soft links in place of the links; links without a target are copied as
   * they are.
   */
  EXPAND_SOFT,
  /**
   * Copies the targets of external links in place of the links; links without a target are copied
   * as they are.
   */
  EXPAND_EXTERNAL,
  /**
   * Copies the targets of references as well, and makes the references refer to the copies. If no
   * link in the copy leads to such a target, a link to its copy is created in the root group of the
   * destination file. The link is named {@code ~obj_pointed_by_} followed by the address of that
   * copy.
   */
  EXPAND_REFERENCES,
  /**
   * Makes references to copied objects refer to their copies. All other references to objects of
   * the source file become null in a copy into another file, and do not change in a copy within a
   * file. Without this option or {@link #EXPAND_REFERENCES}, a copy into another file makes all
   * references to objects of the source file null, and a copy within a file changes none. A
   * reference that contains the name of another file is copied as it is.
   */
  KEEP_INNER_REFERENCES,
  /** Does not copy attributes. */
  WITHOUT_ATTRIBUTES,
  /**
   * Copies the elements of virtual datasets instead of their mappings. A copy is sparse if a source
   * is sparse. Otherwise, it has the layout that a storage change requests; without such a request,
   * it is chunked if it can grow or if a storage change requests a chunk shape or filters, and
   * otherwise contiguous. Elements without a source are undefined in a sparse copy, and have the
   * fill value in any other copy.
   */
  MATERIALIZE_VIRTUAL,
  /**
   * Changes the file names in the mappings of copied virtual datasets so that, when resolved from
   * the folder of the target, they refer to the same files as before. Absolute names are kept,
   * unless the file is found in another folder. In a copy to another file, mappings to the file of
   * the virtual dataset itself name that file, unless the whole root group is copied. Without this
   * option, names are copied as they are.
   */
  REBASE_VIRTUAL
}
