package io.skerry.iod.rocksdb;

import io.skerry.iod.engine.EngineOptions;
import java.util.ArrayDeque;
import java.util.Deque;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.Cache;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.CompressionType;
import org.rocksdb.DBOptions;
import org.rocksdb.InfoLogLevel;
import org.rocksdb.Options;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksObject;
import org.rocksdb.WALRecoveryMode;
import org.rocksdb.WriteOptions;
import org.rocksdb.util.StdErrLogger;

/**
 * The options of an open database. They are native objects, which must not be closed before the
 * database.
 */
final class StoreOptions implements AutoCloseable {
  private static final long SYNC_BYTES = 1 << 20;
  private static final long LOG_BYTES = 1 << 20;
  private static final int LOG_FILES = 2;
  private static final int FILTER_BITS = 10;

  private final Deque<RocksObject> resources = new ArrayDeque<>();
  private final Options options;
  private final ReadOptions reading;
  private final ReadOptions unchecked;
  private final WriteOptions buffered;
  private final WriteOptions synced;

  private StoreOptions(EngineOptions sizes, Cache cache) {
    this.options = kept(new Options());
    this.reading = kept(new ReadOptions());
    this.unchecked = kept(new ReadOptions().setVerifyChecksums(false));
    this.buffered = kept(new WriteOptions());
    this.synced = kept(new WriteOptions().setSync(true));
    boolean isSet = false;
    try {
      set(sizes, cache);
      isSet = true;
    } finally {
      if (!isSet) {
        close();
      }
    }
  }

  private void set(EngineOptions sizes, Cache cache) {
    options
        .setWriteBufferSize(sizes.writeBufferBytes())
        .setMaxBackgroundJobs(sizes.threads())
        .setCompressionType(CompressionType.LZ4_COMPRESSION)
        .setTableFormatConfig(
            new BlockBasedTableConfig()
                .setBlockCache(cache)
                .setFilterPolicy(kept(new BloomFilter(FILTER_BITS))))
        // Values are compressed by the layers above, if at all.
        .setEnableBlobFiles(true)
        .setMinBlobSize(Math.addExact(sizes.largeValueBytes(), 1))
        .setBlobCompressionType(CompressionType.NO_COMPRESSION)
        // A kill may tear the last record of the log. Damage anywhere else is an error: the default
        // mode would silently drop all transactions after it.
        .setWalRecoveryMode(WALRecoveryMode.TolerateCorruptedTailRecords)
        // The log is not written to disk in the background: a transaction syncs it once, and large
        // values may be in blob files, and their log removed, before that.
        .setBytesPerSync(SYNC_BYTES)
        .setInfoLogLevel(InfoLogLevel.WARN_LEVEL)
        .setKeepLogFileNum(LOG_FILES)
        .setMaxLogFileSize(LOG_BYTES)
        .setStatsDumpPeriodSec(0);
  }

  private <T extends RocksObject> T kept(T resource) {
    resources.push(resource);
    return resource;
  }

  static StoreOptions forCreating(EngineOptions sizes, Cache cache) {
    StoreOptions created = new StoreOptions(sizes, cache);
    created.options.setCreateIfMissing(true).setErrorIfExists(true);
    return created;
  }

  static StoreOptions forWriting(EngineOptions sizes, Cache cache) {
    return new StoreOptions(sizes, cache);
  }

  /** Returns options for opening a database without writing a message log. */
  static StoreOptions forReading(EngineOptions sizes, Cache cache) {
    StoreOptions created = new StoreOptions(sizes, cache);
    created.options.setLogger(created.kept(new StdErrLogger(InfoLogLevel.NUM_INFO_LOG_LEVELS)));
    return created;
  }

  /** Returns a copy of the options of a database, without those of its column family. */
  DBOptions database() {
    return kept(new DBOptions(options));
  }

  /** Returns a copy of the options of the only column family. */
  ColumnFamilyOptions family() {
    return kept(new ColumnFamilyOptions(options));
  }

  Options options() {
    return options;
  }

  ReadOptions reading() {
    return reading;
  }

  /** Returns options for reads that do not verify the checksums of RocksDB. */
  ReadOptions unchecked() {
    return unchecked;
  }

  WriteOptions buffered() {
    return buffered;
  }

  WriteOptions synced() {
    return synced;
  }

  @Override
  public void close() {
    while (!resources.isEmpty()) {
      resources.pop().close();
    }
  }
}
