package io.skerry.iod.rocksdb;

import io.skerry.iod.engine.EngineOptions;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.rocksdb.AbstractEventListener;
import org.rocksdb.AbstractNativeReference;
import org.rocksdb.BackgroundErrorReason;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.Cache;
import org.rocksdb.CompressionType;
import org.rocksdb.FlushOptions;
import org.rocksdb.InfoLogLevel;
import org.rocksdb.Options;
import org.rocksdb.ReadOptions;
import org.rocksdb.Status;
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

  private final Deque<AbstractNativeReference> resources = new ArrayDeque<>();
  private final Options options;
  private final ReadOptions reading;
  private final WriteOptions buffered;
  private final WriteOptions synced;
  private final WriteOptions unlogged;
  private final FlushOptions awaited;
  private final FlushOptions started;

  /**
   * Prevents the database from waiting for free space after a background thread has found the disk
   * full: the caller would wait with it, and gets an exception instead.
   */
  private static final class Unrecovered extends AbstractEventListener {
    Unrecovered() {
      super(EnabledEventCallback.ON_ERROR_RECOVERY_BEGIN);
    }

    @Override
    public boolean onErrorRecoveryBegin(BackgroundErrorReason reason, Status error) {
      return false;
    }
  }

  private StoreOptions(EngineOptions sizes, Cache cache) {
    this.options = kept(new Options());
    this.reading = kept(new ReadOptions());
    this.buffered = kept(new WriteOptions());
    this.synced = kept(new WriteOptions().setSync(true));
    this.unlogged = kept(new WriteOptions().setDisableWAL(true));
    this.awaited = kept(new FlushOptions().setWaitForFlush(true));
    this.started = kept(new FlushOptions().setWaitForFlush(false).setAllowWriteStall(true));
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
        .setWalBytesPerSync(SYNC_BYTES)
        .setBytesPerSync(SYNC_BYTES)
        .setInfoLogLevel(InfoLogLevel.WARN_LEVEL)
        .setKeepLogFileNum(LOG_FILES)
        .setMaxLogFileSize(LOG_BYTES)
        .setStatsDumpPeriodSec(0)
        .setMaxBgErrorResumeCount(0)
        .setListeners(List.of(kept(new Unrecovered())));
  }

  private <T extends AbstractNativeReference> T kept(T resource) {
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

  /** Returns options with which an opening does not write a log of messages. */
  static StoreOptions forReading(EngineOptions sizes, Cache cache) {
    StoreOptions created = new StoreOptions(sizes, cache);
    created.options.setLogger(created.kept(new StdErrLogger(InfoLogLevel.NUM_INFO_LOG_LEVELS)));
    return created;
  }

  Options options() {
    return options;
  }

  ReadOptions reading() {
    return reading;
  }

  WriteOptions buffered() {
    return buffered;
  }

  WriteOptions synced() {
    return synced;
  }

  /** Returns the options of a write that is in no log. */
  WriteOptions unlogged() {
    return unlogged;
  }

  /** Returns the options of a move of the write buffer to files, for which the caller waits. */
  FlushOptions awaited() {
    return awaited;
  }

  /** Returns the options of a move of the write buffer to files by a background thread. */
  FlushOptions started() {
    return started;
  }

  @Override
  public void close() {
    while (!resources.isEmpty()) {
      resources.pop().close();
    }
  }
}
