package io.skerry.integration.fuzz;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;

/** The structures of a valid file, their fields, and the checksums that cover them. */
final class FieldMap {
  private final byte[] file;
  private final List<Structure> structures;
  private final List<List<Structure>> byKind;
  private final List<ChecksumField> seals;

  private FieldMap(byte[] file, List<Structure> structures, List<ChecksumField> seals) {
    this.file = file.clone();
    this.structures = List.copyOf(structures);
    this.seals = List.copyOf(seals);
    Map<String, List<Structure>> kinds = new TreeMap<>();
    structures.forEach(s -> kinds.computeIfAbsent(s.kind(), k -> new ArrayList<>()).add(s));
    this.byKind = List.copyOf(kinds.values());
  }

  /**
   * @param chunks the stored chunks and their sections
   */
  static FieldMap of(byte[] file, List<Structure> chunks) {
    List<Structure> structures = StructureScan.of(file);
    List<ChecksumField> seals = ChecksumFields.of(file, structures, chunks);
    List<Structure> all = new ArrayList<>(structures);
    all.addAll(chunks);
    return new FieldMap(file, all, seals);
  }

  byte[] file() {
    return file.clone();
  }

  int length() {
    return file.length;
  }

  List<Structure> structures() {
    return structures;
  }

  List<ChecksumField> seals() {
    return seals;
  }

  /** Draws a structure; each kind of structure is equally likely. */
  Structure any(SplittableRandom random) {
    List<Structure> kind = byKind.get(random.nextInt(byKind.size()));
    return kind.get(random.nextInt(kind.size()));
  }

  /** Returns the address of a random structure of any kind. */
  long anyAddress(SplittableRandom random) {
    return structures.get(random.nextInt(structures.size())).from();
  }

  /** Recomputes the checksums that were changed or cover a changed byte, inner ones first. */
  void mend(byte[] changed) {
    boolean[] touched = new boolean[file.length];
    for (int i = 0; i < file.length; i++) {
      touched[i] = file[i] != changed[i];
    }
    for (ChecksumField seal : seals) {
      if (any(touched, seal.from(), seal.to()) || any(touched, seal.at(), seal.at() + 4)) {
        seal.mend(changed);
        for (int i = seal.at(); i < seal.at() + 4; i++) {
          touched[i] = true;
        }
      }
    }
  }

  private static boolean any(boolean[] touched, int from, int to) {
    for (int i = from; i < to; i++) {
      if (touched[i]) {
        return true;
      }
    }
    return false;
  }
}
