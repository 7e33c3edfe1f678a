package io.skerry.iod.object;

/**
 * The levels of end-to-end checksums. A level determines where checksums are computed and checked.
 * The stored form of a value states whether it has a checksum, so a container may be opened with
 * any level.
 *
 * <pre>
 *            computed from           checked              stored  checked
 *            the caller's memory     on receipt                   when read
 * OFF        -                       -                    -       -
 * TRANSFER   when sent               by the receiver      -       -
 * STORE      -                       -                    yes     yes
 * MEMORY     when handed over        before it is stored  -       -
 * ALL        when handed over        at each step         yes     yes
 * </pre>
 *
 * <p>At the levels MEMORY and ALL, messages have checksums too: if another rank stores a value,
 * that rank checks it.
 */
public enum ChecksumLevel {
  /** No checksums. */
  OFF,
  /** Messages between compute ranks and I/O ranks. */
  TRANSFER,
  /** Values in the store. */
  STORE,
  /** Values from the memory of the caller to the store, including messages. */
  MEMORY,
  /** All of these. */
  ALL;

  /** Returns whether messages have checksums. Local, thread-safe; does not fail. */
  public boolean isSent() {
    return this == TRANSFER || isOfMemory();
  }

  /**
   * Returns whether values are stored with checksums, which are checked when they are read. Local,
   * thread-safe; does not fail.
   */
  public boolean isStored() {
    return this == STORE || this == ALL;
  }

  /**
   * Returns whether the checksum of a value is computed when the caller hands it over. Local,
   * thread-safe; does not fail.
   */
  public boolean isOfMemory() {
    return this == MEMORY || this == ALL;
  }
}
