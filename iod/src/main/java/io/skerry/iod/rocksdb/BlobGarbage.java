package io.skerry.iod.rocksdb;

import org.rocksdb.MutableColumnFamilyOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;

/**
 * Removes the large values that no key refers to from the files with large values. RocksDB deletes
 * a file without values by itself. If its garbage collection is on, each compaction also moves the
 * values of the oldest files, whether there is garbage or not; a growing container would be written
 * again and again. It is therefore on only while a half of these files is garbage. Not thread-safe.
 */
final class BlobGarbage {
  /** The size of the files in bytes below which garbage is not worth moving values. */
  private static final long LEAST = 64 << 20;

  /** The part of the oldest files that is garbage from which their values are moved. */
  private static final double PART = 0.5;

  private boolean isCollected;

  /** Turns garbage collection on or off, as the present garbage demands. */
  void adjust(RocksDB database) throws RocksDBException {
    long garbage = database.getLongProperty("rocksdb.live-blob-file-garbage-size");
    long size = database.getLongProperty("rocksdb.live-blob-file-size");
    boolean isWanted = size >= LEAST && garbage >= PART * size;
    if (isWanted != isCollected) {
      isCollected = isWanted;
      database.setOptions(
          MutableColumnFamilyOptions.builder()
              .setEnableBlobGarbageCollection(isWanted)
              .setBlobGarbageCollectionAgeCutoff(1)
              .setBlobGarbageCollectionForceThreshold(PART)
              .build());
    }
  }
}
