package io.skerry.iod.rocksdb;

import io.skerry.exception.FormatException;
import io.skerry.iod.engine.EngineException;
import io.skerry.iod.engine.Place;
import io.skerry.iod.engine.Version;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;

/**
 * Reads a whole shard and reports what is inconsistent. Damage is reported as a finding as well; a
 * part of the database that cannot be read ends the walk over its kind of keys. Not thread-safe.
 */
final class ShardVerifier {
  private final ShardStore store;
  private final Consumer<String> findings;

  ShardVerifier(ShardStore store, Consumer<String> findings) {
    this.store = store;
    this.findings = findings;
  }

  void run(long oldest) {
    readable("versions", () -> versions(oldest));
    readable("lists of changes", () -> changes(oldest));
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
   * Walks the versions and the large values together. Both have the same order, so each large value
   * has to be the next one.
   */
  private void versions(long oldest) {
    try (StoreCursor versions = store.cursor();
        StoreCursor values = store.cursor()) {
      boolean more = values.seek(StoreKeys.firstValue()) && StoreKeys.isValue(values.key());
      Optional<Version> newer = Optional.empty();
      boolean valid = versions.seek(StoreKeys.firstVersion());
      while (valid && StoreKeys.isVersion(versions.key())) {
        byte[] key = versions.key();
        try {
          VersionRecord record = VersionRecord.of(versions.value());
          Version version =
              new Version(StoreKeys.place(key), StoreKeys.transaction(key), record.size());
          superseded(newer, version, oldest);
          newer = Optional.of(version);
          if (record.isLarge()) {
            more = value(values, more, StoreKeys.valueOfVersion(key), record.size());
          }
        } catch (FormatException e) {
          report("damaged version", e.getMessage(), HexFormat.of().formatHex(key));
        }
        valid = versions.next();
      }
      while (more) {
        more = withoutVersion(values);
      }
    }
  }

  /** Returns the place of a key, or its bytes if it has another form. */
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
    byte[] key = values.key();
    boolean more = next(values);
    try {
      report("value without version", StoreKeys.place(key));
    } catch (FormatException e) {
      report("damaged key of a value", e, Arrays.toString(key));
    }
    return more;
  }

  private boolean value(StoreCursor values, boolean found, byte[] key, OptionalLong size) {
    boolean more = found;
    while (more && Arrays.compareUnsigned(values.key(), key) < 0) {
      more = withoutVersion(values);
    }
    if (!more || !Arrays.equals(values.key(), key)) {
      report("version without value", place(key), StoreKeys.transaction(key));
      return more;
    }
    if (OptionalLong.of(values.valueSize()).equals(size)) {
      return next(values);
    }
    report("size of a value", place(key), size, values.valueSize());
    return next(values);
  }

  private void superseded(Optional<Version> newer, Version version, long oldest) {
    boolean hidden =
        newer
            .filter(n -> n.place().equals(version.place()) && n.transaction() <= oldest)
            .isPresent();
    if (hidden || (version.isRemoved() && version.transaction() <= oldest)) {
      report("version that purge should have removed", version, oldest);
    }
  }

  private void changes(long oldest) {
    try (StoreCursor lists = store.cursor()) {
      boolean valid = lists.seek(StoreKeys.changes(0, 0));
      while (valid && StoreKeys.isChanges(lists.key())) {
        try {
          long transaction = StoreKeys.transactionOfChanges(lists.key());
          if (transaction <= oldest) {
            report("changes that purge should have removed", transaction, oldest);
          }
          for (ChangeList.Change change : ChangeList.decode(lists.value())) {
            listed(change.place(), transaction);
          }
        } catch (FormatException e) {
          report("damaged list of changes", e.getMessage());
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
