package io.skerry.integration.fuzz;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Finds the checksums of a file. A range of bytes counts as covered if it is followed by its
 * correct checksum. A search determines the length of the range, so no structure is parsed.
 */
final class ChecksumFields {
  private static final int LONGEST = 1 << 16;
  private static final int ELEMENT_ARRAY_PAGE = 1024;

  private final byte[] file;
  private final Set<ChecksumField> found = new LinkedHashSet<>();

  private ChecksumFields(byte[] file) {
    this.file = file;
  }

  /**
   * @param stretches chunks and sections of chunks, which may end in a checksum
   */
  static List<ChecksumField> of(
      byte[] file, List<Structure> structures, List<Structure> stretches) {
    ChecksumFields seals = new ChecksumFields(file);
    for (ChecksummedBlocks.Range range : ChecksummedBlocks.of(file).ranges()) {
      seals.found.add(
          new ChecksumField(ChecksumField.Form.LOOKUP3, range.from(), range.to(), range.to()));
    }
    for (Structure structure : structures) {
      switch (structure.kind()) {
        case "FHDB" -> seals.heapBlock(structure.from());
        case "GCOL" -> seals.objects(structure.from());
        case "FADB", "EADB" -> seals.pages(structure.from());
        default -> {}
      }
    }
    for (Structure stretch : stretches) {
      seals.keepIfRight(
          new ChecksumField(
              ChecksumField.Form.LOOKUP3, stretch.from(), stretch.to() - 4, stretch.to() - 4));
      seals.keepIfRight(
          new ChecksumField(
              ChecksumField.Form.FLETCHER32, stretch.from(), stretch.to() - 4, stretch.to() - 4));
    }
    // A checksum that covers another one must be recomputed after it.
    return seals.found.stream().sorted(Comparator.comparingInt(s -> s.to() - s.from())).toList();
  }

  private void keepIfRight(ChecksumField seal) {
    if (seal.to() > seal.from() && seal.at() + 4 <= file.length && seal.isRight(file)) {
      found.add(seal);
    }
  }

  /** Adds the checksum in the header of a fractal heap block, which covers the whole block. */
  private void heapBlock(int from) {
    for (int size = 128; size <= LONGEST && from + size <= file.length; size *= 2) {
      for (int at = from + 10; at < from + 24; at++) {
        keepIfRight(new ChecksumField(ChecksumField.Form.LOOKUP3, from, from + size, at));
      }
    }
  }

  /** Adds the checksums at the end of global heap objects, such as mappings of virtual datasets. */
  private void objects(int from) {
    for (int start = from + 32; start < Math.min(file.length, from + 4096); start += 8) {
      long size = new Field("size", FieldKind.LENGTH, start - 8, 8).get(file);
      if (size > 8 && start + size <= file.length) {
        int end = start + (int) size - 4;
        keepIfRight(new ChecksumField(ChecksumField.Form.LOOKUP3, start, end, end));
      }
    }
  }

  /** Adds the checksums of the pages after the header of a data block, each of 1024 elements. */
  private void pages(int from) {
    List<Integer> ends = new ArrayList<>();
    found.stream().filter(seal -> seal.from() == from).forEach(seal -> ends.add(seal.at() + 4));
    for (int start : ends) {
      for (int element = 8; element <= 24; element++) {
        int length = element * ELEMENT_ARRAY_PAGE;
        for (int page = start; page + length + 4 <= file.length; page += length + 4) {
          keepIfRight(
              new ChecksumField(ChecksumField.Form.LOOKUP3, page, page + length, page + length));
        }
      }
    }
  }
}
