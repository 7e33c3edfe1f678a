package io.skerry.iod.rocksdb;

import org.rocksdb.MutableColumnFamilyOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;

/**
 * Removes large values that no key refers to from the blob files. RocksDB itself deletes a file
 * that no longer contains values. With garbage collection on, each compaction also moves the values
 * of the oldest files, whether or not there is garbage, so a growing container would be rewritten
 * again and again. Garbage collection is therefore on only while at least half of the bytes in blob
 * files are garbage. Not thread-safe.
 */
final class BlobGarbage {
  /** The total size of the blob files, in bytes, below which garbage is not collected. */
  private static final long LEAST = 64 << 20;

  /** The minimum share of garbage for which values are moved out of the files. */
  private static final double PART = 0.5;

  private boolean isCollected;

  /** Turns garbage collection on or off, depending on the current share of garbage. */
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
