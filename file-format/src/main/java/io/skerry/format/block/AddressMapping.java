package io.skerry.format.block;

/**
 * Turns addresses as they stand in a file into addresses as a {@link ByteSource} takes them. They
 * are the same, except where the address space is spread over several files that begin far apart,
 * some above 2^63: those are moved together when they are read.
 */
public interface AddressMapping {
  /** Every address stays what it is. */
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
   * Where an address is found.
   *
   * @param stored the address, unsigned; never the undefined one
   * @return the place, negative if there can be none
   */
  long map(long stored);

  /**
   * Where the address space ends.
   *
   * @param stored the end of file in the superblock, unsigned
   * @return the place, negative if there can be none
   */
  long end(long stored);
}
