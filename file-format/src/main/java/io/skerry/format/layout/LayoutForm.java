package io.skerry.format.layout;

/** The forms of a chunked data layout on disk. */
public enum LayoutForm {
  /** Version 3: dense chunks in a version 1 B-tree. */
  VERSION_3(1),
  /** Version 4: dense chunks in the newer indexes; what this library writes. */
  VERSION_4(1),
  /** Version 5, class 2: as version 4, chunk sizes in the index always 8 bytes wide. */
  VERSION_5(1),
  /** Version 5, class 4: sparse chunks of two sections. */
  SPARSE(2),
  /** Version 5, class 4: sparse chunks of a type with variable-length parts, three sections. */
  SPARSE_VARIABLE(3);

  private final int sections;

  LayoutForm(int sections) {
    this.sections = sections;
  }

  /** Sections of a chunk image. */
  public int sections() {
    return sections;
  }

  /** Whether chunks are structured: made of sections. */
  public boolean isStructured() {
    return sections > 1;
  }
}
