package io.skerry.parallel;

/** The way in which a file is opened: what may be done with it. */
public enum FileAccess {
  /** A new file; one of that name is replaced. */
  CREATE,
  /** A new file; if the name is taken, nothing is opened. */
  CREATE_NEW,
  /** Read an existing file. */
  READ,
  /** Read and change an existing file. */
  WRITE;

  /** Returns whether the file is a new one. */
  public boolean isCreating() {
    return this == CREATE || this == CREATE_NEW;
  }
}
