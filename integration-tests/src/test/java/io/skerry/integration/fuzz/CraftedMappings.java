package io.skerry.integration.fuzz;

import io.skerry.chunk.bytes.ByteWriter;

/** Builds a global heap object with virtual mappings field by field, valid or not. */
final class CraftedMappings {
  private final ByteWriter out = ByteWriter.create();

  private CraftedMappings(int version, long entries) {
    out.u8(version).u64(entries);
  }

  /**
   * Begins a block.
   *
   * @param version the version of the block
   * @param entries the number of entries that the block claims to have
   */
  static CraftedMappings of(int version, long entries) {
    return new CraftedMappings(version, entries);
  }

  CraftedMappings flags(int flags) {
    out.u8(flags);
    return this;
  }

  CraftedMappings name(String name) {
    out.text(name).u8(0);
    return this;
  }

  CraftedMappings index(long entry) {
    out.u64(entry);
    return this;
  }

  /** Adds a selection of all elements. */
  CraftedMappings all() {
    out.u32(3).u32(1).u64(0);
    return this;
  }

  /** Adds a selection of consecutive rows of three elements. */
  CraftedMappings rows(long first, long count) {
    return pattern(first, 1, 1, count, 0, 1, 1, 3);
  }

  /** Adds a regular hyperslab of version 3 with 8-byte numbers: start, stride, count and block. */
  CraftedMappings pattern(long... numbers) {
    out.u32(2).u32(3).u8(1).u8(8).u32(numbers.length / 4);
    for (long number : numbers) {
      out.u64(number);
    }
    return this;
  }

  /** Adds a version 2 point list with 8-byte numbers and a claimed number of points. */
  CraftedMappings points(int rank, long claimed, long... coordinates) {
    out.u32(1).u32(2).u8(8).u32(rank).u64(claimed);
    for (long coordinate : coordinates) {
      out.u64(coordinate);
    }
    return this;
  }

  /** Adds a version 3 block list with 8-byte numbers and a claimed number of blocks. */
  CraftedMappings blocks(int rank, long claimed, long... corners) {
    out.u32(2).u32(3).u8(0).u8(8).u32(rank).u64(claimed);
    for (long corner : corners) {
      out.u64(corner);
    }
    return this;
  }

  /** Returns the block with its checksum. */
  byte[] bytes() {
    return cut(0);
  }

  /** Returns the block without its last {@code missing} bytes, and a checksum of the others. */
  byte[] cut(int missing) {
    ByteWriter part = ByteWriter.create();
    part.bytes(out.written().asSlice(0, out.position() - missing));
    return part.checksumFrom(0).toArray();
  }
}
