package io.skerry.iod.rocksdb;

import io.skerry.exception.FormatException;
import io.skerry.iod.engine.EngineException;
import io.skerry.iod.engine.Place;
import io.skerry.iod.engine.Version;
import io.skerry.iod.engine.shard.VersionRecord;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;

/**
 * Reads a whole shard and reports inconsistencies. Damage is reported as a finding as well; a part
 * of the database that cannot be read ends the walk over its kind of keys. Not thread-safe.
 */
final class ShardVerifier {
  private final ShardStore store;
  private final Consumer<String> findings;

  ShardVerifier(ShardStore store, Consumer<String> findings) {
    this.store = store;
    this.findings = findings;
  }

  /**
   * Verifies the shard. Versions that a purge has begun to remove may or may not exist.
   *
   * @param begun the argument of the last purge that has begun
   * @param ended the argument of the last purge that has ended
   */
  void run(long begun, long ended) {
    readable("versions", () -> versions(begun, ended));
    readable("lists of changes", () -> changes(begun, ended));
  }

  /** Reports a part of the database that the engine finds damaged. */
  private void readable(String part, Runnable walk) {
    try {
      walk.run();
    } catch (EngineException e) {
      if (e.fault() != EngineException.Fault.DAMAGED) {
        throw e;
      }
      report("damaged database, the rest is not verified", part, e);
    }
  }

  private void report(String finding, Object... values) {
    findings.accept(
        finding
            + ": "
            + Arrays.toString(values)
            + " container="
            + store.faults().container()
            + " shard="
            + store.faults().shard().orElse(-1));
  }

  /**
   * Walks the versions and the large values together. Both have the same order, so the large value
   * of each version must be the next one.
   */
  private void versions(long begun, long ended) {
    try (StoreCursor versions = store.cursor();
        StoreCursor values = store.cursor()) {
      boolean more = values.seek(StoreKeys.firstValue()) && StoreKeys.isValue(values.key());
      Optional<Version> newer = Optional.empty();
      boolean valid = versions.seek(StoreKeys.firstVersion());
      while (valid && StoreKeys.isVersion(versions.key())) {
        byte[] key = versions.key();
        try {
          VersionRecord record = VersionRecord.of(versions.value(), 0);
          Version version =
              new Version(StoreKeys.place(key), StoreKeys.transaction(key), record.size());
          if (isSuperseded(newer, version, ended)) {
            report("version that purge should have removed", version, ended);
          }
          boolean isBeingRemoved = isSuperseded(newer, version, begun);
          newer = Optional.of(version);
          if (record.isLarge()) {
            byte[] large = StoreKeys.valueOfVersion(key);
            more = upTo(values, more, large);
            if (more && Arrays.equals(values.key(), large)) {
              more = value(values, record.size());
            } else if (!isBeingRemoved) {
              report("version without value", version.place(), version.transaction());
            }
          }
        } catch (FormatException e) {
          report("damaged version", String.valueOf(e.getMessage()), HexFormat.of().formatHex(key));
        }
        valid = versions.next();
      }
      while (more) {
        more = withoutVersion(values);
      }
    }
  }

  /** Returns the place of a key, or the bytes of a key that is not well-formed. */
  private static Object place(byte[] key) {
    try {
      return StoreKeys.place(key);
    } catch (FormatException e) {
      return "key " + HexFormat.of().formatHex(key);
    }
  }

  private static boolean next(StoreCursor values) {
    return values.next() && StoreKeys.isValue(values.key());
  }

  /** Reports a large value that has no version; returns whether there is another value. */
  private boolean withoutVersion(StoreCursor values) {
    report("value without version", place(values.key()));
    return next(values);
  }

  /** Reports the large values before a key; returns whether there is another value. */
  private boolean upTo(StoreCursor values, boolean found, byte[] key) {
    boolean more = found;
    while (more && Arrays.compareUnsigned(values.key(), key) < 0) {
      more = withoutVersion(values);
    }
    return more;
  }

  /** Checks the size of a large value; returns whether there is another value. */
  private boolean value(StoreCursor values, OptionalLong size) {
    long actual = values.valueSize();
    if (!OptionalLong.of(actual).equals(size)) {
      report("size of a value", place(values.key()), size, actual);
    }
    return next(values);
  }

  /** Returns whether a purge removes a version. */
  private static boolean isSuperseded(Optional<Version> newer, Version version, long oldest) {
    boolean isHidden =
        newer
            .filter(n -> n.place().equals(version.place()) && n.transaction() <= oldest)
            .isPresent();
    return isHidden || (version.isRemoved() && version.transaction() <= oldest);
  }

  private void changes(long begun, long ended) {
    try (StoreCursor lists = store.cursor()) {
      boolean valid = lists.seek(StoreKeys.changes(0, 0));
      while (valid && StoreKeys.isChanges(lists.key())) {
        try {
          long transaction = StoreKeys.transactionOfChanges(lists.key());
          if (transaction <= ended) {
            report("changes that purge should have removed", transaction, ended);
          }
          for (ChangeList.Change change : ChangeList.decode(lists.value())) {
            if (transaction > begun) {
              listed(change.place(), transaction);
            }
          }
        } catch (FormatException e) {
          report("damaged list of changes", String.valueOf(e.getMessage()));
        }
        valid = lists.next();
      }
    }
  }

  private void listed(Place place, long transaction) {
    if (store.get(StoreKeys.version(place, transaction)).isEmpty()) {
      report("change without version", place, transaction);
    }
  }
}
