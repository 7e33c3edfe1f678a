package io.skerry.integration.randomprogram;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.skerry.H5File;
import io.skerry.integration.random.BoxLoops;
import io.skerry.testkit.oracle.Oracle;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A file of a killed {@link KilledWriter} job after recovery, and its expected state.
 *
 * @param path the file
 * @param flush the number of the flush that is stored in the file
 * @param expected the state of that flush
 */
record RecoveredFile(Path path, int flush, NumberedFlushes expected) {
  /** Prints the values of the dense datasets. */
  private static final String SCRIPT =
      """
      import sys, h5py
      with h5py.File(sys.argv[1], 'r') as f:
          for path in sys.argv[2:]:
              d = f[path]
              if d.dtype == object:
                  print(path, [x.decode() if isinstance(x, bytes) else x for x in d[...]])
              else:
                  print(path, [int(x) for x in d[...].ravel()])
          print('groups', ' '.join(sorted(f['/groups'])))
          print('flush', int(f.attrs['flush']))
      """;

  private static final List<Oracle> H5PY = Oracle.h5py();

  static RecoveredFile of(long seed, int flush, Path path) {
    return new RecoveredFile(path, flush, NumberedFlushes.after(seed, flush));
  }

  /** Returns the number of the flush that is stored in a file. */
  static int flushIn(Path path) {
    try (H5File file = H5File.open(path)) {
      return flushIn(file);
    }
  }

  /** Returns the number of the flush that is stored in an open file. */
  static int flushIn(H5File file) {
    return (int) file.root().attribute(NumberedFlushes.NUMBER).orElseThrow().longs()[0];
  }

  /** Compares values, defined elements, extents and groups. */
  void check() {
    try (H5File file = H5File.open(path)) {
      check(file);
    }
  }

  /** Compares values, defined elements, extents and groups of an open file. */
  void check(H5File file) {
    for (TextColumn column : expected.texts()) {
      assertEquals("", column.difference(file));
    }
    assertEquals(
        List.copyOf(expected.groups()),
        file.group(NumberedFlushes.GROUPS).links().stream()
            .map(link -> link.name())
            .sorted()
            .toList());
    assertEquals(
        ContentDigest.of(expected.model()),
        ContentDigest.of(file, expected.model()),
        "the numbers are not those of flush " + flush);
  }

  /** Reads all dense datasets with every installed h5py. */
  void checkByH5py(Path folder) {
    List<String> lines = new ArrayList<>();
    List<Object> arguments = new ArrayList<>(List.of("-c", SCRIPT, path));
    for (ArrayModel dataset : expected.model().datasets()) {
      if (!dataset.plan().isSparse()) {
        arguments.add(dataset.plan().path());
        List<Long> values = new ArrayList<>();
        for (long i = 0; i < BoxLoops.volume(dataset.extent()); i++) {
          values.add(dataset.value(i));
        }
        lines.add(dataset.plan().path() + " " + values);
      }
    }
    TextColumn notes = expected.texts().getLast();
    arguments.add(notes.path());
    lines.add(
        notes.expected().stream()
            .map(text -> "'" + text + "'")
            .collect(Collectors.joining(", ", notes.path() + " [", "]")));
    lines.add("groups " + String.join(" ", expected.groups()));
    lines.add("flush " + flush);
    for (Oracle h5py : H5PY) {
      assertEquals(
          lines,
          h5py.run(folder, arguments.toArray()).expectSuccess().out().lines().toList(),
          h5py.name());
    }
  }
}
