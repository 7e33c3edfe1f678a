/**
 * The embedded engine: a container is a folder with one RocksDB database for each shard. Start at
 * {@link io.skerry.iod.rocksdb.RocksProvider}; {@link io.skerry.iod.rocksdb.StoreKeys} describes
 * the content of a database.
 */
package io.skerry.iod.rocksdb;
