package io.skerry.iod.rocksdb;

import io.skerry.iod.engine.EngineException;
import io.skerry.iod.engine.EngineException.Fault;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.DBOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;

/**
 * Opens a database for reading while another opener may write to it. RocksDB reads the list of its
 * files first, and then its logs. If the writer moves the changes of a log to another file between
 * these steps and deletes the log, the reader misses them, although it finds later changes in the
 * next log. A database whose list has changed during the opening is therefore opened again.
 *
 * <p>The column family is named in the call. Without names, RocksDB opens a fully compacted
 * database in a special mode in which it finds no values in blob files.
 */
final class ReaderOpening {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /** The maximum pause between two attempts, in nanoseconds, which lets the writer proceed. */
  private static final long LONGEST_PAUSE = 20_000_000;

  private static final String LIST = "MANIFEST-[0-9]{6,20}";
  private static final int MOST_NAME = 64;

  private final Path folder;
  private final StoreOptions options;

  /** The list of files from which the database was opened. */
  private Optional<FileList> opened = Optional.empty();

  ReaderOpening(Path folder, StoreOptions options) {
    this.folder = folder;
    this.options = options;
  }

  /** The name and the size in bytes of the list of files, to which each change is appended. */
  private record FileList(String name, long bytes) {}

  /**
   * Opens the database.
   *
   * @throws IOException if its files change for too long
   */
  RocksDB open() throws RocksDBException, IOException {
    DBOptions general = options.database();
    var family = new ColumnFamilyDescriptor(RocksDB.DEFAULT_COLUMN_FAMILY, options.family());
    long start = System.nanoTime();
    int attempts = 0;
    Optional<RocksDBException> last = Optional.empty();
    while (true) {
      attempts++;
      Optional<FileList> before = list();
      try {
        RocksDB database =
            RocksDB.openReadOnly(general, folder.toString(), List.of(family), new ArrayList<>());
        if (isStable(before, database)) {
          opened = before;
          return database;
        }
        database.close();
      } catch (RocksDBException e) {
        // A file that the writer has just deleted is missing, not damaged.
        if (before.equals(list())) {
          throw e;
        }
        last = Optional.of(e);
      }
      if (System.nanoTime() - start > PATIENCE.toNanos()) {
        IOException changing =
            new IOException(
                "the files of the database have changed during each opening for reading: attempts="
                    + attempts);
        last.ifPresent(changing::addSuppressed);
        throw changing;
      }
      LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(LONGEST_PAUSE));
    }
  }

  /**
   * Returns the exception for a failed call of the open database, which may lack a file that a
   * writer has removed.
   */
  EngineException failure(Faults faults, RocksDBException e) {
    EngineException failure = faults.of(e);
    try {
      boolean isRemoved = failure.fault() == Fault.DAMAGED && !opened.equals(list());
      return isRemoved ? faults.outdated(e) : failure;
    } catch (IOException unreadable) {
      failure.addSuppressed(unreadable);
      return failure;
    }
  }

  private boolean isStable(Optional<FileList> before, RocksDB database) throws IOException {
    boolean kept = false;
    try {
      boolean isStable = before.equals(list());
      kept = true;
      return isStable;
    } finally {
      if (!kept) {
        database.close();
      }
    }
  }

  /** Returns the list of files; empty if it is being replaced, or if there is none. */
  private Optional<FileList> list() throws IOException {
    try (InputStream current = Files.newInputStream(folder.resolve("CURRENT"))) {
      String name = new String(current.readNBytes(MOST_NAME), StandardCharsets.ISO_8859_1).strip();
      return name.matches(LIST)
          ? Optional.of(new FileList(name, Files.size(folder.resolve(name))))
          : Optional.empty();
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
  }
}
