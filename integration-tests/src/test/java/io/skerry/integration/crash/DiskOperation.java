package io.skerry.integration.crash;

/**
 * A system call of a traced process that changes what a disk holds or makes it durable. Files are
 * named by a number that a name keeps until it is removed, like that of an inode.
 */
sealed interface DiskOperation {
  /** Number of the line of the trace at which the call began. */
  int start();

  /** Number of the line of the trace at which it had returned. */
  int end();

  /** The process that made it. */
  int process();

  /** Bytes written. */
  record Write(int start, int end, int process, int file, long offset, byte[] bytes)
      implements DiskOperation {}

  /** A new size. */
  record Resize(int start, int end, int process, int file, long size) implements DiskOperation {}

  /** A call that returns when what this process wrote before is on disk. */
  record Sync(int start, int end, int process, int file) implements DiskOperation {}

  /** A new file. */
  record Create(int start, int end, int process, int file, String name) implements DiskOperation {}

  /** A name that is no more. */
  record Unlink(int start, int end, int process, String name) implements DiskOperation {}

  /** A second name. */
  record Link(int start, int end, int process, String from, String to) implements DiskOperation {}

  /** Another name, perhaps in the place of another file. */
  record Rename(int start, int end, int process, String from, String to) implements DiskOperation {}

  /** A line that the program wrote into the file of its marks. */
  record Mark(int start, int end, int process, String text) implements DiskOperation {}
}
