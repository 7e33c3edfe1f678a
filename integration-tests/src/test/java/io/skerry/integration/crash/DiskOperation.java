package io.skerry.integration.crash;

/**
 * A system call of a traced process that changes files or makes changes durable. A number
 * identifies a file, like that of an inode.
 */
sealed interface DiskOperation {
  /** Returns the line number of the trace at which the call begins. */
  int start();

  /** Returns the line number of the trace at which the call returns. */
  int end();

  /** Returns the ID of the calling process. */
  int process();

  /** A write of bytes at an offset. */
  record Write(int start, int end, int process, int file, long offset, byte[] bytes)
      implements DiskOperation {}

  /** A change of the file size. */
  record Resize(int start, int end, int process, int file, long size) implements DiskOperation {}

  /** A call that returns when the earlier writes of this process to the file are durable. */
  record Sync(int start, int end, int process, int file) implements DiskOperation {}

  /** The creation of a file. */
  record Create(int start, int end, int process, int file, String name) implements DiskOperation {}

  /** The removal of a name. */
  record Unlink(int start, int end, int process, String name) implements DiskOperation {}

  /** The creation of a hard link. */
  record Link(int start, int end, int process, String from, String to) implements DiskOperation {}

  /** A change of a name, which may replace another file. */
  record Rename(int start, int end, int process, String from, String to) implements DiskOperation {}

  /** A line that the program writes to the file of marks. */
  record Mark(int start, int end, int process, String text) implements DiskOperation {}
}
