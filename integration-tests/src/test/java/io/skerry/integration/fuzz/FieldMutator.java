package io.skerry.integration.fuzz;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Makes changes to one file that are determined by a number, and recomputes the checksums. */
final class FieldMutator {
  /** A change and its description. */
  record Change(int at, byte[] bytes, String text) {
    void applyTo(byte[] file) {
      System.arraycopy(bytes, 0, file, at, bytes.length);
    }
  }

  private final FieldMap map;

  FieldMutator(FieldMap map) {
    this.map = map;
  }

  /** Returns the changes of a number, usually one and at most four. */
  List<Change> changes(long number) {
    SplittableRandom random = new SplittableRandom(number);
    int count = random.nextInt(6) == 0 ? 2 + random.nextInt(2) : 1;
    List<Change> changes = new ArrayList<>();
    while (changes.size() < count) {
      changes.addAll(random.nextInt(12) == 0 ? swap(random) : List.of(field(random)));
    }
    return changes;
  }

  /** Returns the file with these changes and correct checksums. */
  byte[] apply(List<Change> changes) {
    byte[] file = map.file();
    changes.forEach(change -> change.applyTo(file));
    map.mend(file);
    return file;
  }

  private Change field(SplittableRandom random) {
    Structure structure = map.any(random);
    Field field = structure.draw(random);
    byte[] file = map.file();
    long old = field.get(file);
    long drawn = field.kind().draw(random, old, structure.from(), map);
    field.set(file, drawn);
    byte[] bytes = java.util.Arrays.copyOfRange(file, field.at(), field.at() + field.width());
    String text =
        "%s at %d: %s at %d, %d bytes: %d -> %d"
            .formatted(
                structure.kind(),
                structure.from(),
                field.name(),
                field.at(),
                field.width(),
                old,
                field.get(file));
    return new Change(field.at(), bytes, text);
  }

  /** Swaps two structures of the same kind and length; returns no changes if there is no pair. */
  private List<Change> swap(SplittableRandom random) {
    Structure one = map.any(random);
    List<Structure> others =
        map.structures().stream()
            .filter(s -> s.kind().equals(one.kind()) && s.from() != one.from())
            .filter(s -> s.to() - s.from() == one.to() - one.from())
            .toList();
    if (others.isEmpty()) {
      return List.of();
    }
    Structure other = others.get(random.nextInt(others.size()));
    byte[] file = map.file();
    String text = "%s at %d and at %d swapped".formatted(one.kind(), one.from(), other.from());
    return List.of(
        new Change(one.from(), java.util.Arrays.copyOfRange(file, other.from(), other.to()), text),
        new Change(other.from(), java.util.Arrays.copyOfRange(file, one.from(), one.to()), text));
  }
}
