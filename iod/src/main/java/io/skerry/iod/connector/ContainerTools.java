package io.skerry.iod.connector;

import io.skerry.SpaceReport;
import io.skerry.Verification;
import io.skerry.iod.connector.path.ObjectPaths;
import io.skerry.iod.connector.store.ContainerStore;
import io.skerry.iod.connector.store.StoredVersions;
import io.skerry.iod.connector.tile.CellTiles;
import io.skerry.iod.engine.Container;
import io.skerry.iod.engine.ContainerException;
import io.skerry.iod.engine.EngineException;
import io.skerry.iod.engine.EngineLocation;
import io.skerry.iod.object.ChecksumLevel;
import io.skerry.iod.object.ObjectStore;
import io.skerry.iod.object.Values;
import io.skerry.iod.object.check.CarriedFailure;
import io.skerry.iod.object.check.ContainerDump;
import io.skerry.iod.object.check.ContainerVerifier;
import io.skerry.mpi.Communicator;
import io.skerry.parallel.CollectiveException;
import io.skerry.parallel.FileAccess;
import io.skerry.parallel.Operation;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Verifies, prints and removes the container of a file that this process has not opened. Local.
 *
 * @param opener the opener of the container
 */
record ContainerTools(ContainerOpener opener) {
  /** The address reported with findings, since the objects of a container have no addresses. */
  private static final long NO_ADDRESS = -1;

  private Container open() {
    return opener.open(opener.parsed(FileAccess.READ).reading());
  }

  private long version(Container container) {
    return new StoredVersions(
            container, ChecksumLevel.ALL, opener::bytes, ContainerStore.Readers.ALL_THREADS)
        .choose(opener.parsed(FileAccess.READ).version());
  }

  /** Verifies the state that the path names: first the shards, then the objects. */
  SpaceReport verify(Verification.Watcher watcher) {
    Consumer<Verification.Finding> findings = CarriedFailure.carrying(watcher::finding);
    Consumer<Long> checked = CarriedFailure.carrying(watcher::checked);
    return explained(() -> {
      try (Container container = open()) {
        for (int number : container.served()) {
          container.shard(number).verify(line -> findings.accept(finding("shard " + number, line)));
        }
        long unused =
            ContainerVerifier.verify(
                container,
                version(container),
                new CellTiles(),
                line -> findings.accept(finding(line)));
        long bytes = opener.bytes();
        checked.accept(bytes);
        return new SpaceReport(ObjectPaths.of(values(container)).count(), 0, Map.of(), 0, bytes, 0);
      }
    });
  }

  private Values values(Container container) {
    return ObjectStore.of(container, ChecksumLevel.ALL).at(version(container));
  }

  private static Verification.Finding finding(String line) {
    int colon = line.indexOf(": ");
    return colon < 0
        ? finding("container", line)
        : finding(line.substring(0, colon), line.substring(colon + 2));
  }

  private static Verification.Finding finding(String structure, String what) {
    return new Verification.Finding(NO_ADDRESS, structure, "/", what, "", "");
  }

  /** Prints the state that the path names, object by object. */
  void dump(Consumer<String> lines) {
    Consumer<String> carrying = CarriedFailure.carrying(lines);
    boolean unused =
        explained(() -> {
          try (Container container = open()) {
            ContainerDump.write(values(container), carrying);
            return true;
          }
        });
  }

  /** Removes the container, but nothing else. */
  void remove() {
    boolean unused =
        explained(() -> {
          String folder = opener.parsed(FileAccess.WRITE).folder().toString();
          opener.engine().remove(new EngineLocation(opener.location().scheme(), folder));
          return true;
        });
  }

  /** Returns whether anything exists at the location. */
  boolean isTaken() {
    return explained(() -> opener.engine().isTaken(opener.location()));
  }

  /** Returns the number of bytes that are stored for the container. */
  long bytes() {
    return explained(opener::bytes);
  }

  /** Moves the container to another location. */
  void move(ContainerOpener to) {
    boolean unused =
        explained(() -> {
          opener.engine().move(opener.location(), to.location());
          return true;
        });
  }

  /**
   * Runs a step, and reports a failure of the engine like a failure to open the file. What a
   * callback throws, which the step carries, reaches the caller unchanged.
   */
  private <T> T explained(Supplier<T> step) {
    return CarriedFailure.unwrapped(() -> {
      try {
        return step.get();
      } catch (ContainerException | EngineException | IllegalArgumentException e) {
        throw new CollectiveException(
            Operation.OPEN_FILE,
            "file=" + opener.path(),
            List.of(0),
            Communicator.RankSet.of(1),
            String.valueOf(e.getMessage()),
            Optional.of(e));
      }
    });
  }
}
