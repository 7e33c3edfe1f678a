package io.skerry.iod.rocksdb;

import io.skerry.iod.engine.EngineException;
import io.skerry.iod.engine.EngineException.Fault;
import java.util.Objects;
import java.util.OptionalInt;
import org.rocksdb.RocksDB;

/** The native library of RocksDB, which its jar contains for common platforms. */
final class NativeLibrary {
  private NativeLibrary() {}

  /**
   * Loads the library unless it is already loaded. Local, thread-safe.
   *
   * @throws EngineException if there is no library for this platform, or it cannot be loaded
   */
  static void load(String container) {
    try {
      RocksDB.loadLibrary();
    } catch (RuntimeException | LinkageError e) {
      // RocksDB throws a RuntimeException if the jar has no library or it cannot be unpacked; the
      // JVM throws an UnsatisfiedLinkError if the library does not fit the system.
      throw new EngineException(
          Fault.UNAVAILABLE,
          container,
          OptionalInt.empty(),
          "",
          "the native library of RocksDB cannot be loaded for os.name="
              + System.getProperty("os.name")
              + " os.arch="
              + System.getProperty("os.arch")
              + ": "
              + Objects.requireNonNullElse(e.getMessage(), e.getClass().getName()),
          e);
    }
  }
}
