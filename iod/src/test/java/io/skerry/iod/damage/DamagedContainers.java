package io.skerry.iod.damage;

import io.skerry.H5File;
import io.skerry.Verification;
import io.skerry.iod.connector.IodConnector;
import io.skerry.iod.connector.OpenContainer;
import io.skerry.iod.connector.SampleFile;
import io.skerry.iod.connector.path.ObjectPaths;
import io.skerry.iod.connector.tile.CellTiles;
import io.skerry.iod.engine.Changes;
import io.skerry.iod.engine.Container;
import io.skerry.iod.engine.Durability;
import io.skerry.iod.engine.EngineLocation;
import io.skerry.iod.engine.Engines;
import io.skerry.iod.engine.Opening;
import io.skerry.iod.engine.PageLimit;
import io.skerry.iod.object.ChecksumLevel;
import io.skerry.iod.object.ObjectStore;
import io.skerry.iod.object.check.ContainerDump;
import io.skerry.iod.object.check.ContainerVerifier;
import io.skerry.mpi.Communicator;
import io.skerry.parallel.FileAccess;
import io.skerry.parallel.FileOptions;
import io.skerry.spi.Connectors;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Damages the container of a sample, and uses it in all ways: within a transaction that is aborted
 * afterwards, or in a copy that is opened as programs do.
 */
final class DamagedContainers implements AutoCloseable {
  /** The name of the folders of all damaged containers. */
  private static final String NAME = "damaged";

  private final Path sound;
  private final Path folder;
  private final Container container;
  private final ValueMutator mutator;
  private final int refusals;

  /** The content of the container. */
  enum Content {
    /** Small objects of all kinds. */
    SMALL,
    /** The same, and a BLOB of several blocks, and metadata that are stored in a BLOB. */
    LARGE
  }

  /**
   * Writes the sample.
   *
   * @param folder an empty folder
   */
  DamagedContainers(Path folder, Content content) {
    this.folder = folder;
    this.sound = folder.resolve("sound");
    try (H5File file = open(sound, FileAccess.CREATE)) {
      SampleFile.write(file);
      if (content == Content.LARGE) {
        SampleFile.writeLarge(file);
      }
    }
    Path path = folder.resolve(NAME);
    copy(sound, path);
    this.container = opened(path);
    this.mutator = new ValueMutator(StoredValue.of(container), container.info().shards());
    this.refusals = read(List.of()).refusals();
  }

  private static H5File open(Path path, FileAccess access) {
    return Connectors.open(
        new IodConnector(SampleFile.SETTINGS),
        path,
        access,
        Communicator.self(),
        FileOptions.standard());
  }

  private static Container opened(Path path) {
    EngineLocation location = new EngineLocation("iod", path.toString());
    Container opened = Engines.of(location).open(location, Opening.writing());
    boolean isRecovered = false;
    try {
      opened.recover();
      isRecovered = true;
      return opened;
    } finally {
      if (!isRecovered) {
        opened.close();
      }
    }
  }

  private static void copy(Path from, Path to) {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : files.toList()) {
        Files.copy(file, to.resolve(from.relativize(file).toString()));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the number of refusals when the container is not damaged. */
  int refusals() {
    return refusals;
  }

  ValueMutator mutator() {
    return mutator;
  }

  /** Changes the shards of an open container in one transaction. */
  private static Map<Integer, Changes> changed(
      Container container, long transaction, List<Damage> damages) {
    Map<Integer, Changes> shards = new TreeMap<>();
    for (Damage damage : damages) {
      Changes changes =
          shards.computeIfAbsent(
              damage.shard(), shard -> container.shard(shard).change(transaction));
      damage
          .stored()
          .ifPresentOrElse(
              bytes -> changes.put(damage.place(), MemorySegment.ofArray(bytes)),
              () -> changes.remove(damage.place()));
    }
    return shards;
  }

  /** Reads a damaged container within a transaction. */
  DamageJudge read(List<Damage> damages) {
    DamageJudge judge = new DamageJudge(NAME);
    long next = container.readableMark() + 1;
    Map<Integer, Changes> shards = changed(container, next, damages);
    try {
      shards.values().forEach(Changes::flush);
      read(new OpenContainer.At(container, next), judge);
    } finally {
      shards.values().forEach(Changes::close);
    }
    return judge;
  }

  private void read(Container damaged, DamageJudge judge) {
    judge.attempt(
        "open",
        () -> {
          try (H5File file =
              Connectors.open(
                  new OpenContainer(damaged),
                  folder.resolve(NAME),
                  FileAccess.READ,
                  Communicator.self(),
                  FileOptions.standard())) {
            FileWalk.read(file, judge);
          }
        });
    judge.attempt(
        "verify",
        () -> {
          long unused =
              ContainerVerifier.verify(
                  damaged,
                  damaged.readableMark(),
                  new CellTiles(),
                  line -> judge.said("verify", line));
        });
    var values = ObjectStore.of(damaged, ChecksumLevel.STORE).at(damaged.readableMark());
    judge.attempt("paths", () -> ObjectPaths.of(values).count());
    judge.attempt("dump", () -> ContainerDump.write(values, line -> dumped(line, judge)));
  }

  /** Judges a line of a dump that reports damage. */
  private static void dumped(String line, DamageJudge judge) {
    if (line.strip().startsWith("!")) {
      judge.said("dump", line);
    }
  }

  /** Opens, verifies, prints, reads and changes a damaged copy of the container. */
  DamageJudge use(List<Damage> damages) {
    return use(path -> damage(path, damages));
  }

  private static void damage(Path path, List<Damage> damages) {
    try (Container copy = opened(path)) {
      long mark = copy.readableMark();
      changed(copy, mark + 1, damages)
          .values()
          .forEach(changes -> changes.prepare(Durability.BUFFERED));
      if (!copy.advance(mark, mark + 1)) {
        throw new IllegalStateException("the readable mark has moved");
      }
    }
  }

  /**
   * Uses a copy of the container in all ways.
   *
   * @param damage damages the copy at a path
   */
  DamageJudge use(Consumer<Path> damage) {
    DamageJudge judge = new DamageJudge(NAME);
    Path path = folder.resolve(NAME + "-copy");
    copy(sound, path);
    try {
      damage.accept(path);
      use(path, judge);
    } finally {
      delete(path);
    }
    return judge;
  }

  /** Returns changes of the databases of the container. */
  RecordMutator records() {
    return new RecordMutator(sound, container.info().shards());
  }

  private static void use(Path path, DamageJudge judge) {
    IodConnector connector = new IodConnector(SampleFile.SETTINGS);
    judge.attempt(
        "open",
        () -> {
          try (H5File file = open(path, FileAccess.READ)) {
            FileWalk.read(file, judge);
          }
        });
    Verification.Watcher watcher = finding -> judge.said("verify", finding.toString());
    judge.attempt("verify", () -> connector.verify(path, FileOptions.standard(), watcher));
    judge.attempt("dump", () -> connector.dump(path, line -> dumped(line, judge)));
    judge.attempt(
        "open for writing",
        () -> {
          try (H5File file = open(path, FileAccess.WRITE)) {
            FileEdits.make(file, judge);
          }
        });
    judge.attempt("purge", () -> purge(path));
    judge.attempt("verify again", () -> connector.verify(path, FileOptions.standard(), watcher));
  }

  /** Removes old versions, and reads the history of the shards. */
  private static void purge(Path path) {
    try (Container opened = opened(path)) {
      long mark = opened.readableMark();
      for (int shard : opened.served()) {
        opened.shard(shard).purge(mark);
        var unused = opened.shard(shard).history(Optional.empty(), PageLimit.DEFAULT);
        var others = opened.shard(shard).transactions();
        if (others.size() > mark + 1) {
          throw new IllegalStateException("transactions: " + others);
        }
      }
    }
  }

  private static void delete(Path path) {
    EngineLocation location = new EngineLocation("iod", path.toString());
    Engines.of(location).remove(location);
  }

  @Override
  public void close() {
    container.close();
  }
}
