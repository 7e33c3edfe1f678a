package io.skerry.parallel;

/** The mode in which a file is opened. */
public enum FileAccess {
  /** Creates a file, or replaces the file of that name. */
  CREATE,
  /** Creates a file; fails if the name is taken. */
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
