package io.skerry.iod.rocksdb;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;

/**
 * Opens a database for reading, while another opener may write to it. RocksDB reads the list of its
 * files first and the log after it. If the writer has meanwhile moved changes to files, the log may
 * hold the readable mark of changes that are in no file of the list, or has been removed. Such an
 * opening is repeated.
 */
final class ReadOnlyOpening {
  /**
   * The number of openings after which it is given up; a writer needs seconds for as many moves.
   */
  private static final int MOST = 100;

  private ReadOnlyOpening() {}

  static RocksDB open(Options options, Path folder) throws RocksDBException {
    for (int opening = 0; opening < MOST; opening++) {
      String before = files(folder);
      RocksDB database;
      try {
        database = RocksDB.openReadOnly(options, folder.toString());
      } catch (RocksDBException e) {
        if (before.equals(files(folder))) {
          throw e;
        }
        continue;
      }
      if (before.equals(files(folder))) {
        return database;
      }
      database.close();
    }
    throw new RocksDBException("the files have changed during each of " + MOST + " openings");
  }

  /** Returns the name and size of the list of files, to which each change of the files is added. */
  private static String files(Path folder) {
    try {
      String name = Files.readString(folder.resolve("CURRENT")).strip();
      return name + " " + Files.size(folder.resolve(name));
    } catch (IOException | InvalidPathException e) {
      // RocksDB reports what is wrong with the file.
      return "";
    }
  }
}
