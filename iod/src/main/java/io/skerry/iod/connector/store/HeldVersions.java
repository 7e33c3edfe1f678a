package io.skerry.iod.connector.store;

import io.skerry.Transactions;
import io.skerry.collective.step.LocalStatus;
import io.skerry.iod.transaction.ReadContext;
import io.skerry.iod.transaction.Refusal;
import io.skerry.iod.transaction.TransactionClient;
import io.skerry.iod.transaction.TransactionException;
import io.skerry.iod.transaction.VersionChoice;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The versions of a container that is open for writing. A version that is opened is held by a read
 * context of rank 0 until it is closed, so it is not purged. Methods are local unless they state
 * otherwise.
 */
final class HeldVersions implements ContainerStore.Versions {
  private static final ReadContext NO_CONTEXT = new ReadContext(0, 0, 0);

  private final Backing backing;
  private final TransactionClient requests;
  private volatile boolean hasEnded;

  HeldVersions(Backing backing) {
    this.backing = backing;
    this.requests = backing.transactions();
  }

  /** Returns the newest readable version. */
  long readable() {
    ReadContext last = requests.acquire(VersionChoice.LAST, 0);
    requests.release(last);
    return last.transaction();
  }

  @Override
  public List<Long> list() {
    List<Long> found = new ArrayList<>();
    for (Optional<Long> next = next(0); next.isPresent(); next = next(next.get() + 1)) {
      found.add(next.get());
    }
    return found;
  }

  private Optional<Long> next(long from) {
    try {
      ReadContext context = requests.acquire(VersionChoice.NEXT, from);
      requests.release(context);
      return Optional.of(context.transaction());
    } catch (TransactionException e) {
      if (e.refusal() == Refusal.NO_VERSION) {
        return Optional.empty();
      }
      throw e;
    }
  }

  @Override
  public List<String> snapshots() {
    return backing.container().snapshots().names();
  }

  /** Stores a snapshot, and returns the number of its version. Collective. */
  long snapshot(FileRanks ranks, String name) {
    LocalStatus status = new LocalStatus();
    long mine = ranks.isFirst() ? status.attempt(() -> requests.snapshot(name), 0L) : 0;
    return ranks.exchange(status, mine)[0];
  }

  /** Excludes unused version numbers from use. Collective. */
  void skip(FileRanks ranks, long first, long last) {
    LocalStatus status = new LocalStatus();
    if (ranks.isFirst()) {
      status.attempt(() -> requests.skip(first, last));
    }
    ranks.requireGood(status);
  }

  /** Deletes a snapshot. Collective. */
  void deleteSnapshot(FileRanks ranks, String name) {
    LocalStatus status = new LocalStatus();
    if (ranks.isFirst()) {
      status.attempt(() -> backing.container().snapshots().delete(name));
    }
    ranks.requireGood(status);
  }

  /**
   * Acquires a read context on rank 0, and passes it to the other ranks. Collective.
   *
   * @param status the failures of this rank
   */
  ReadContext acquire(FileRanks ranks, LocalStatus status, Transactions.Version version) {
    ReadContext mine =
        ranks.isFirst() ? status.attempt(() -> acquired(version), NO_CONTEXT) : NO_CONTEXT;
    long[] words = ranks.exchange(status, mine.session(), mine.id(), mine.transaction());
    return new ReadContext(words[0], words[1], words[2]);
  }

  private ReadContext acquired(Transactions.Version version) {
    VersionChoice choice =
        switch (version.choice()) {
          case EXACT -> VersionChoice.EXACT;
          case PREVIOUS -> VersionChoice.PREV;
          case NEXT -> VersionChoice.NEXT;
          case LAST -> VersionChoice.LAST;
        };
    try {
      return requests.acquire(choice, version.number());
    } catch (TransactionException e) {
      if (e.refusal() == Refusal.NO_VERSION || e.refusal() == Refusal.PURGED) {
        throw StoredVersions.missing(backing.name(), version, list(), snapshots());
      }
      throw e;
    }
  }

  @Override
  public ContainerStore open(FileRanks others, Transactions.Version version) {
    ReadContext context = acquire(others, new LocalStatus(), version);
    return new ReadStore(
        backing.name(),
        backing::bytes,
        context.transaction(),
        backing.at(context),
        this,
        backing.readers(),
        () -> release(others, context),
        _ -> {});
  }

  /** Releases a read context on rank 0, unless the container is closed. */
  void release(FileRanks ranks, ReadContext context) {
    // All contexts end with the container.
    if (ranks.isFirst() && !hasEnded) {
      requests.release(context);
    }
  }

  /** Notes that the container is being closed. */
  void end() {
    hasEnded = true;
  }
}
