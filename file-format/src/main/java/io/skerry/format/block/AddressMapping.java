package io.skerry.format.block;

/**
 * Maps addresses stored in a file to addresses of a {@link ByteSource}. The two are equal unless
 * the address space is distributed over several files whose ranges are far apart, some above 2^63;
 * such ranges are mapped to ranges that are close together for reading.
 */
public interface AddressMapping {
  /** The identity mapping. */
  AddressMapping IDENTITY =
      new AddressMapping() {
        @Override
        public long map(long stored) {
          return stored;
        }

        @Override
        public long end(long stored) {
          return stored;
        }

        @Override
        public String toString() {
          return "as stored";
        }
      };

  /**
   * Maps an address.
   *
   * @param stored the address as stored, unsigned; never the undefined address
   * @return the corresponding address in the source; negative if it would exceed 2^63 - 1. If no
   *     member file has data at the stored address, the source has no bytes at the returned
   *     address.
   */
  long map(long stored);

  /**
   * Maps the end of file, which is counted from byte 0 of the file, not from the base address.
   *
   * @param stored the end of file in the superblock, unsigned
   * @return the end in the source, also counted from byte 0; negative if it would exceed 2^63 - 1
   */
  long end(long stored);
}
