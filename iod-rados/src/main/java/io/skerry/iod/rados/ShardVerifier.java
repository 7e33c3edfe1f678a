package io.skerry.iod.rados;

import io.skerry.exception.FormatException;
import io.skerry.iod.engine.Version;
import io.skerry.iod.rados.VersionReader.Found;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;

/** Reads a whole shard and reports inconsistencies. Not thread-safe. */
final class ShardVerifier {
  private final ShardStore store;
  private final VersionReader reader;
  private final Consumer<String> findings;

  /** The names of the objects with large values that no version has named yet. */
  private final Set<String> data = new TreeSet<>();

  private Optional<Version> newer = Optional.empty();

  ShardVerifier(ShardStore store, VersionReader reader, Consumer<String> findings) {
    this.store = store;
    this.reader = reader;
    this.findings = findings;
  }

  /**
   * Verifies the shard.
   *
   * @param listing the objects of the pool that are listed, to find those that nothing names;
   *     librados cannot list the objects of a snapshot
   */
  void run(long oldest, Listing listing) {
    if (listing == Listing.WHOLE_POOL) {
      int unused =
          store.call(pool -> {
            pool.names(this::note);
            return 0;
          });
    }
    OmapCursor index = new OmapCursor(store, store.names().head(), OmapKeys.OBJECTS);
    for (boolean valid = index.first(); valid; valid = index.next()) {
      try {
        long object = OmapKeys.object(index.key());
        boolean unused = data.remove(store.names().object(object));
        reader.each(
            object, found -> version(found, oldest), e -> report("damaged version", e, object));
      } catch (FormatException e) {
        report("damaged index", e);
      }
    }
    data.forEach(this::unnamed);
    changes(oldest);
  }

  /** The objects that a verification lists. */
  enum Listing {
    WHOLE_POOL,
    NONE
  }

  private void note(String name) {
    if (name.startsWith(store.names().prefix())) {
      data.add(name);
    }
  }

  private void unnamed(String name) {
    // The cluster lists removed objects as long as a snapshot holds them.
    if (store.call(pool -> pool.size(name)).isPresent()) {
      report("object that nothing names", name);
    }
  }

  private void report(String finding, Object... values) {
    findings.accept(finding + ": " + Arrays.toString(values) + " " + store.faults().describe());
  }

  private void version(Found found, long oldest) {
    Version version = found.version();
    boolean hidden =
        newer
            .filter(n -> n.place().equals(version.place()) && n.transaction() <= oldest)
            .isPresent();
    if (hidden || (version.isRemoved() && version.transaction() <= oldest)) {
      report("version that purge should have removed", version, oldest);
    }
    newer = Optional.of(version);
    for (int n = 0; n < found.record().stripes(); n++) {
      String name = store.names().data(version.place(), version.transaction(), n);
      boolean unused = data.remove(name);
      stripe(found, n, name);
    }
  }

  private void stripe(Found found, int number, String name) {
    long size = found.version().size().orElse(0);
    long from = (long) number * found.record().stripe();
    OptionalLong actual = store.call(pool -> pool.size(name));
    if (actual.isEmpty()) {
      report("version without value", found.version(), name);
    } else if (actual.getAsLong() != Math.min(found.record().stripe(), size - from)) {
      report("size of a value", found.version(), name, actual.getAsLong());
    }
  }

  private void changes(long oldest) {
    OmapCursor lists = new OmapCursor(store, store.names().head(), OmapKeys.CHANGES);
    for (boolean valid = lists.first(); valid; valid = lists.next()) {
      try {
        long transaction = OmapKeys.transactionOfChanges(lists.key());
        if (transaction <= oldest) {
          report("changes that purge should have removed", transaction, oldest);
        }
        for (ChangeList.Change change : ChangeList.decode(lists.value())) {
          Optional<Found> found = reader.newest(change.place(), transaction);
          if (found.isEmpty() || found.get().version().transaction() != transaction) {
            report("change without version", change.place(), transaction);
          }
        }
      } catch (FormatException e) {
        report("damaged list of changes", e);
      }
    }
  }
}
