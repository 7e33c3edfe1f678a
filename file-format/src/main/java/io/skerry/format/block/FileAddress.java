package io.skerry.format.block;

/** The undefined file address. */
public final class FileAddress {
  /**
   * The undefined address, all bits set on disk whatever the size of offsets: nothing is allocated.
   */
  public static final long UNDEFINED = -1;

  private FileAddress() {}

  /** Returns whether the address is defined. */
  public static boolean isDefined(long address) {
    return address != UNDEFINED;
  }
}
