package io.skerry.iod.connector.store;

import io.skerry.Transactions;
import io.skerry.collective.step.LocalStatus;
import io.skerry.iod.engine.Container;
import io.skerry.iod.engine.ContainerException;
import io.skerry.iod.engine.Shard;
import io.skerry.iod.object.ChecksumLevel;
import io.skerry.iod.object.ObjectStore;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * The versions of a container that is open for reading, as found in the changes of its shards: a
 * transaction without changes is not counted, unless it is the newest readable one.
 *
 * @param container the container with all shards
 * @param level the checksum level
 * @param size returns the number of bytes that the container occupies
 * @param readers the threads that have access to the values of a version
 */
public record StoredVersions(
    Container container, ChecksumLevel level, LongSupplier size, ContainerStore.Readers readers)
    implements ContainerStore.Versions {
  @Override
  public List<Long> list() {
    return List.copyOf(readable());
  }

  private NavigableSet<Long> readable() {
    long mark = container.readableMark();
    long oldest = 0;
    NavigableSet<Long> found = new TreeSet<>();
    for (int number = 0; number < container.info().shards(); number++) {
      Shard shard = container.shard(number);
      oldest = Math.max(oldest, shard.oldest());
      found.addAll(shard.transactions());
    }
    // The oldest version need not have changes, since a purge removes its list of changes. Before
    // the first purge, the number is 0, which is no version.
    if (oldest > 0) {
      found.add(oldest);
    }
    found.add(mark);
    // A purge that was interrupted may have reached only some of the shards.
    return found.tailSet(oldest, true).headSet(mark, true);
  }

  @Override
  public List<String> snapshots() {
    return container.snapshots().names();
  }

  /**
   * Returns the number of a version. Local.
   *
   * @throws ContainerException if there is no such version
   */
  public long choose(Transactions.Version version) {
    LocalStore.requireRoot(container.readableMark(), container.location().path());
    if (version.choice() == Transactions.Version.Choice.LAST) {
      return container.readableMark();
    }
    NavigableSet<Long> readable = readable();
    long number = version.number();
    Optional<Long> found =
        switch (version.choice()) {
          case EXACT -> readable.contains(number) ? Optional.of(number) : Optional.empty();
          case PREVIOUS -> Optional.ofNullable(readable.floor(number));
          case NEXT -> Optional.ofNullable(readable.ceiling(number));
          case LAST -> Optional.of(readable.last());
        };
    return found.orElseThrow(() ->
        missing(container.location().toString(), version, List.copyOf(readable), snapshots()));
  }

  /** Returns the exception for a version that cannot be read. */
  static ContainerException missing(
      String name, Transactions.Version version, List<Long> versions, List<String> snapshots) {
    boolean isPurged = !versions.isEmpty() && version.number() < versions.getFirst();
    return new ContainerException(
        ContainerException.Reason.NO_VERSION,
        name,
        "one of " + versions + " or a snapshot of " + snapshots,
        version + (isPurged ? ", which was purged" : ""));
  }

  @Override
  public ContainerStore open(FileRanks others, Transactions.Version version) {
    return open(others, version, () -> {}, _ -> {});
  }

  /**
   * Opens a version. Collective, within an operation.
   *
   * @param ranks the ranks that open it
   * @param closing closes the resources of the store
   * @param abandoning closes the part of this rank, after it has left the other ranks
   * @throws ContainerException if there is no such version, and a single rank opens it
   * @throws io.skerry.parallel.CollectiveException on all ranks if there is no such version, and
   *     several ranks open it
   */
  ContainerStore open(
      FileRanks ranks,
      Transactions.Version version,
      Runnable closing,
      Consumer<RuntimeException> abandoning) {
    LocalStatus status = new LocalStatus();
    long mine = ranks.isFirst() ? status.attempt(() -> choose(version), 0L) : 0;
    long number = ranks.exchange(status, mine)[0];
    return new ReadStore(
        container.location().toString(),
        size,
        number,
        ObjectStore.of(container, level).at(number),
        this,
        readers,
        closing,
        abandoning);
  }
}
