package io.skerry.parallel;

/** The mode in which a file is opened. */
public enum FileAccess {
  /** Creates a file, replacing any existing file of that name. */
  CREATE,
  /** Creates a file; fails if a file of that name exists. */
  CREATE_NEW,
  /** Reads an existing file. */
  READ,
  /** Reads and changes an existing file. */
  WRITE;

  /** Returns whether the file is created. Local, thread-safe; does not fail. */
  public boolean isCreating() {
    return this == CREATE || this == CREATE_NEW;
  }
}
