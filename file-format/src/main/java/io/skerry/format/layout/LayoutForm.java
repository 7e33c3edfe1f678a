package io.skerry.format.layout;

/** Versions and classes of a chunked data layout on disk. */
public enum LayoutForm {
  /** Version 3, class 2: dense chunks in a version 1 B-tree. */
  VERSION_3(1),
  /** Version 4, class 2: dense chunks in any index except a version 1 B-tree. */
  VERSION_4(1),
  /**
   * Version 5, class 2: like version 4, but the width of a chunk size in the index is the file's
   * size of lengths, normally eight bytes.
   */
  VERSION_5(1),
  /** Version 5, class 4: sparse chunks with two sections. */
  SPARSE(2),
  /**
   * Version 5, class 4: sparse chunks with three sections, for datatypes with variable-length
   * parts.
   */
  SPARSE_VARIABLE(3);

  private final int sections;

  LayoutForm(int sections) {
    this.sections = sections;
  }

  /** Returns the number of sections of a chunk. */
  public int sections() {
    return sections;
  }

  /** Returns whether chunks are structured, that is, divided into sections. */
  public boolean isStructured() {
    return sections > 1;
  }
}
