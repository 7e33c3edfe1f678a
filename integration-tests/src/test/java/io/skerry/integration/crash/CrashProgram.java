package io.skerry.integration.crash;

import io.skerry.cache.CacheOptions;
import io.skerry.format.FormatBounds;
import io.skerry.parallel.FileOptions;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/**
 * A random program: steps with a flush after every few of them. The steps depend only on the seed,
 * not on the number of ranks.
 */
final class CrashProgram {
  private static final int TURNS = 5;
  private static final int MOST_ROWS = 24;
  private static final int MOST_DATASETS = 10;

  private final long seed;
  private final Mode mode;
  private final Random random;
  private final List<CrashStep> steps = new ArrayList<>();
  private final List<CrashModel> models = new ArrayList<>();
  private CrashModel model = new CrashModel();
  private int names;

  /** The storage policy of the program, which determines the states that a crash may leave. */
  enum Mode {
    /** Only a flush stores changes, except of contiguous datasets; memory holds all changes. */
    FLUSHED,
    /**
     * Small buffers, shrinking extents and collective reads: any step may store earlier changes.
     */
    PRESSED,
    /** Stored chunks of fixed size are overwritten in place, outside the atomicity of a flush. */
    IN_PLACE
  }

  CrashProgram(long seed) {
    this.seed = seed;
    this.mode = Mode.values()[(int) Math.floorMod(seed, 3L)];
    this.random = new Random(seed);
    models.add(model.copy());
    begin();
    for (int turn = 0; turn < TURNS; turn++) {
      for (int i = 3 + random.nextInt(7); i > 0; i--) {
        change();
      }
      take(new CrashStep.Flush());
    }
  }

  long seed() {
    return seed;
  }

  Mode mode() {
    return mode;
  }

  List<CrashStep> steps() {
    return steps;
  }

  /** Returns the expected content of the file after the first {@code done} steps. */
  CrashModel model(int done) {
    return models.get(done);
  }

  /** Returns whether a crash may leave the state after the first {@code done} steps. */
  boolean mayBeStored(int done) {
    return mode == Mode.PRESSED
        || done == 0
        || done == steps.size()
        || steps.get(done - 1) instanceof CrashStep.Flush;
  }

  FileOptions options() {
    FormatBounds[] bounds = {FormatBounds.V110, FormatBounds.EARLIEST};
    FileOptions options =
        FileOptions.standard().withWorkers(1).withBounds(bounds[(int) (seed / 3 % bounds.length)]);
    return switch (mode) {
      case FLUSHED -> options.withOverwriting(FileOptions.Overwriting.BY_FLUSH);
      case PRESSED ->
          options
              .withOverwriting(FileOptions.Overwriting.BY_FLUSH)
              .withDirtyLimit(600)
              .withAheadLimit(200)
              .withCache(CacheOptions.standard().withFixedSize(400).withDatasetMinimum(0));
      case IN_PLACE -> options;
    };
  }

  /** Returns the kinds whose values are outside the atomicity of a flush. */
  Set<StorageKind> loose() {
    return mode == Mode.IN_PLACE
        ? EnumSet.of(StorageKind.CONTIGUOUS, StorageKind.DENSE, StorageKind.TREE)
        : EnumSet.of(StorageKind.CONTIGUOUS);
  }

  private void take(CrashStep step) {
    step.apply(model);
    steps.add(step);
    models.add(model.copy());
  }

  private void begin() {
    take(new CrashStep.MakeGroup("/g1"));
    take(new CrashStep.MakeGroup("/g2"));
    for (int i = 0; i < 5; i++) {
      makeDataset();
    }
    for (int i = 0; i < 5; i++) {
      write();
    }
    take(new CrashStep.Flush());
  }

  private <T> T any(List<T> list) {
    return list.get(random.nextInt(list.size()));
  }

  private String path(String name) {
    String group = any(model.groups());
    return (group.equals("/") ? "" : group) + "/" + name + "-" + names++;
  }

  private String dataset() {
    return any(List.copyOf(model.datasets().keySet()));
  }

  private void change() {
    int choice = random.nextInt(100);
    if (model.datasets().isEmpty() || choice < 5) {
      makeDataset();
    } else if (choice < 40) {
      write();
    } else if (choice < 50) {
      erase();
    } else if (choice < 60) {
      reshape();
    } else if (choice < 80) {
      changeAttribute();
    } else if (choice < 86) {
      remove();
    } else if (choice < 90) {
      move();
    } else if (choice < 93) {
      take(new CrashStep.MakeLink(path("link"), "/g1/nothing" + names));
    } else if (choice < 95) {
      take(new CrashStep.MakeGroup(path("group")));
    } else if (mode == Mode.PRESSED) {
      take(new CrashStep.ReadAll(dataset()));
    }
  }

  private void makeDataset() {
    if (model.datasets().size() < MOST_DATASETS) {
      String path = path(any(List.of(StorageKind.values())).name());
      take(new CrashStep.MakeDataset(path, 1 + random.nextInt(MOST_ROWS)));
    }
  }

  private CrashStep.Box box(int rows) {
    int row = random.nextInt(rows);
    int column = random.nextInt(StorageKind.COLUMNS);
    return new CrashStep.Box(
        row,
        1 + random.nextInt(rows - row),
        column,
        1 + random.nextInt(StorageKind.COLUMNS - column));
  }

  private void write() {
    String path = dataset();
    int rows = model.datasets().get(path).rows();
    CrashStep.Box box =
        random.nextInt(4) == 0 ? new CrashStep.Box(0, rows, 0, StorageKind.COLUMNS) : box(rows);
    take(new CrashStep.WriteBox(path, box, random.nextInt(1 << 20), random.nextBoolean()));
  }

  private void erase() {
    String path = dataset();
    if (StorageKind.of(path).isSparse()) {
      take(new CrashStep.EraseBox(path, box(model.datasets().get(path).rows())));
    }
  }

  private void reshape() {
    String path = dataset();
    int rows = model.datasets().get(path).rows();
    int next = 1 + random.nextInt(MOST_ROWS);
    if (StorageKind.of(path).canReshape() && (next > rows || mode == Mode.PRESSED)) {
      take(new CrashStep.Reshape(path, next));
    }
  }

  private void changeAttribute() {
    String object = random.nextBoolean() ? "/" : any(model.objects());
    Map<String, String> own = model.attributes(object);
    List<String> known = List.copyOf(own.keySet());
    String name = "a" + random.nextInt(14);
    int choice = random.nextInt(6);
    if (choice == 0 && !known.isEmpty()) {
      take(new CrashStep.DeleteAttribute(object, any(known)));
    } else if (choice == 1 && !known.isEmpty() && !own.containsKey(name)) {
      take(new CrashStep.RenameAttribute(object, any(known), name));
    } else {
      boolean text = own.containsKey(name) ? own.get(name).startsWith("t") : random.nextBoolean();
      String value = text ? "t" + "y".repeat(random.nextInt(60)) : "";
      take(new CrashStep.SetAttribute(object, name, value + random.nextInt(1000)));
    }
  }

  private void remove() {
    if (!model.links().isEmpty() && random.nextInt(3) == 0) {
      take(new CrashStep.Remove(any(List.copyOf(model.links().keySet()))));
    } else if (model.datasets().size() > 3) {
      take(new CrashStep.Remove(dataset()));
    }
  }

  private void move() {
    String from = dataset();
    if (!loose().contains(StorageKind.of(from))) {
      take(new CrashStep.Move(from, path(StorageKind.of(from).name())));
    }
  }
}
