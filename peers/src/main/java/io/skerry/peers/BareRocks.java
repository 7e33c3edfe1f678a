package io.skerry.peers;

import java.io.IOException;
import java.nio.file.Path;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.Cache;
import org.rocksdb.CompressionType;
import org.rocksdb.LRUCache;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteOptions;

/**
 * A RocksDB database that is used directly, with the same sizes and limits as in the embedded
 * engine: 64 MiB write buffers, a 256 MiB cache, large values in blob files, and Bloom filters.
 */
final class BareRocks implements AutoCloseable {
  private static final long BUFFER = 64 << 20;
  private static final long CACHE = 256 << 20;
  private static final long LARGE = 4096;

  private final Cache cache = new LRUCache(CACHE);
  private final BloomFilter filter = new BloomFilter(10);
  private final Options options = new Options();
  private final WriteOptions buffered = new WriteOptions();
  private final WriteOptions synced = new WriteOptions().setSync(true);
  private final RocksDB database;

  /** The purpose for which the database is opened. */
  enum Access {
    /** A new database is written. */
    CREATE,
    /** A database is read. */
    READ
  }

  BareRocks(Path folder, Access access) throws IOException {
    options
        .setCreateIfMissing(access == Access.CREATE)
        .setWriteBufferSize(BUFFER)
        .setMaxBackgroundJobs(2)
        .setCompressionType(CompressionType.LZ4_COMPRESSION)
        .setTableFormatConfig(
            new BlockBasedTableConfig().setBlockCache(cache).setFilterPolicy(filter))
        .setEnableBlobFiles(true)
        .setMinBlobSize(LARGE)
        .setBlobCompressionType(CompressionType.NO_COMPRESSION);
    try {
      database =
          access == Access.CREATE
              ? RocksDB.open(options, folder.toString())
              : RocksDB.openReadOnly(options, folder.toString());
    } catch (RocksDBException e) {
      throw new IOException(e);
    }
  }

  /** A call of the database. */
  @FunctionalInterface
  interface Call<T> {
    T run(RocksDB database) throws RocksDBException;
  }

  <T> T call(Call<T> call) throws IOException {
    try {
      return call.run(database);
    } catch (RocksDBException e) {
      throw new IOException(e);
    }
  }

  /** Returns the options of a write that is not synced. */
  WriteOptions buffered() {
    return buffered;
  }

  /** Returns the options of a write that is synced together with all earlier writes. */
  WriteOptions synced() {
    return synced;
  }

  @Override
  public void close() {
    database.close();
    synced.close();
    buffered.close();
    options.close();
    filter.close();
    cache.close();
  }
}
