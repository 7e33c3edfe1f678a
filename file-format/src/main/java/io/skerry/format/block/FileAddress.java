package io.skerry.format.block;

/** What an address in a file may be besides a position. */
public final class FileAddress {
  /** The undefined address, all ones on disk whatever the width: nothing is allocated. */
  public static final long UNDEFINED = -1;

  private FileAddress() {}

  /** Whether something is there. */
  public static boolean isDefined(long address) {
    return address != UNDEFINED;
  }
}
