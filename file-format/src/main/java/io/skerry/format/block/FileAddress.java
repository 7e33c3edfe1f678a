package io.skerry.format.block;

/** The undefined file address. */
public final class FileAddress {
  /**
   * The undefined address, which means that nothing is allocated. On disk, all its bits are set,
   * regardless of the size of offsets.
   */
  public static final long UNDEFINED = -1;

  private FileAddress() {}

  /** Returns whether the address is defined. */
  public static boolean isDefined(long address) {
    return address != UNDEFINED;
  }
}
