package io.skerry.iod.rocksdb;

import io.skerry.iod.engine.ContainerException;
import io.skerry.iod.engine.ContainerException.Reason;
import java.io.IOException;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;

/**
 * The lock of the only opener that may write to a shard, in this process or another. RocksDB has a
 * lock of its own, but reports a conflict only in the text of an input-output error, and cannot
 * check it without opening the database. The channel is asynchronous, because an interrupt of the
 * calling thread would close a synchronous one and release the lock.
 */
final class ShardLock implements AutoCloseable {
  private final AsynchronousFileChannel channel;

  private ShardLock(AsynchronousFileChannel channel) {
    this.channel = channel;
  }

  /**
   * Locks a shard.
   *
   * @throws ContainerException if another opener has locked it
   * @throws IOException if the file cannot be opened, or the file system does not support locks
   */
  static ShardLock take(Path file) throws IOException {
    AsynchronousFileChannel channel =
        AsynchronousFileChannel.open(file, StandardOpenOption.WRITE, StandardOpenOption.CREATE);
    boolean locked = false;
    try {
      Optional<FileLock> lock = Optional.ofNullable(channel.tryLock());
      locked = lock.isPresent();
      if (!locked) {
        throw inUse(file, "locked by another process");
      }
      return new ShardLock(channel);
    } catch (OverlappingFileLockException e) {
      throw inUse(file, "locked by this process");
    } finally {
      if (!locked) {
        channel.close();
      }
    }
  }

  private static ContainerException inUse(Path file, String actual) {
    return new ContainerException(Reason.IN_USE, file.toString(), "an unlocked shard", actual);
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
