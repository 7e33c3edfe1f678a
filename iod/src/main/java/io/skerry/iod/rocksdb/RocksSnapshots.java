package io.skerry.iod.rocksdb;

import io.skerry.iod.engine.ContainerException;
import io.skerry.iod.engine.ContainerException.Reason;
import io.skerry.iod.engine.Manifest;
import io.skerry.iod.engine.PurgedException;
import io.skerry.iod.engine.Snapshots;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * The snapshots of a container, each a folder with hard-linked copies of the databases. A copy also
 * holds the transactions above that of the snapshot, which its readers do not see.
 */
final class RocksSnapshots implements Snapshots {
  private final ContainerFolder container;
  private final Manifest manifest;
  private final Collection<RocksShard> shards;
  private final Runnable requireOpen;

  /**
   * Creates the snapshots of an open container. The container must have only one such object, which
   * makes one change at a time.
   *
   * @param shards the open shards
   * @param requireOpen throws an exception if the container is closed
   */
  RocksSnapshots(
      ContainerFolder container,
      Manifest manifest,
      Collection<RocksShard> shards,
      Runnable requireOpen) {
    this.container = container;
    this.manifest = manifest;
    this.shards = shards;
    this.requireOpen = requireOpen;
  }

  /**
   * Returns the folder of a complete snapshot.
   *
   * @throws ContainerException if there is none
   */
  static ContainerFolder folder(ContainerFolder container, String name) throws IOException {
    ContainerFolder folder = checked(container, name);
    if (!folder.isComplete()) {
      throw new ContainerException(
          Reason.NO_SNAPSHOT, container.path().toString(), names(container), name);
    }
    return folder;
  }

  private static ContainerFolder checked(ContainerFolder container, String name) {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "name of a snapshot: expected=" + NAME + " actual=" + name);
    }
    return container.snapshot(name);
  }

  private static List<String> names(ContainerFolder container) throws IOException {
    if (Files.notExists(container.snapshots())) {
      return List.of();
    }
    try (Stream<Path> folders = Files.list(container.snapshots())) {
      return folders
          .filter(folder -> new ContainerFolder(folder).isComplete())
          .map(folder -> folder.getFileName().toString())
          .sorted()
          .toList();
    }
  }

  /** An operation on files. */
  @FunctionalInterface
  private interface Call<T> {
    T run() throws IOException;
  }

  private <T> T call(Call<T> call) {
    requireOpen.run();
    try {
      return call.run();
    } catch (IOException e) {
      throw Faults.of(container.path()).of(e);
    }
  }

  @Override
  public List<String> names() {
    return call(() -> names(container));
  }

  private ContainerFolder incomplete(String name) {
    ContainerFolder folder = checked(container, name);
    requireOpen.run();
    shards.forEach(shard -> shard.store().requireWriting());
    if (folder.isComplete()) {
      throw new ContainerException(
          Reason.EXISTS, folder.path().toString(), "no snapshot", "a complete snapshot");
    }
    return folder;
  }

  @Override
  public synchronized void prepare(String name, long transaction) {
    ContainerFolder folder = incomplete(name);
    call(() -> Files.createDirectories(folder.path()));
    for (RocksShard shard : shards) {
      Path copy = folder.shard(shard.number());
      call(() -> {
        if (Files.exists(copy)) {
          ContainerFolder.deleteTree(copy);
        }
        return copy;
      });
      shard.store().checkpoint(copy);
      // A later purge does not change the copy, and an earlier one is detected here.
      if (shard.oldest() > transaction) {
        throw new PurgedException(
            container.path().toString(), shard.number(), transaction, shard.oldest());
      }
    }
    call(() -> {
      ContainerFolder.sync(folder.path());
      ContainerFolder.sync(container.snapshots());
      ContainerFolder.sync(container.path());
      return folder;
    });
  }

  @Override
  public synchronized void complete(String name, long transaction) {
    ContainerFolder folder = incomplete(name);
    for (int number = 0; number < manifest.info().shards(); number++) {
      if (!Files.isDirectory(folder.shard(number))) {
        throw new ContainerException(
            Reason.NO_SNAPSHOT, folder.path().toString(), "a copy of shard " + number, "none");
      }
    }
    call(() -> {
      folder.complete(new Manifest(manifest.info(), OptionalLong.of(transaction)));
      return folder;
    });
  }

  @Override
  public synchronized void delete(String name) {
    ContainerFolder folder = checked(container, name);
    shards.forEach(shard -> shard.store().requireWriting());
    call(() -> {
      if (Files.notExists(folder.path())) {
        throw new ContainerException(
            Reason.NO_SNAPSHOT, container.path().toString(), names(container), name);
      }
      folder.delete();
      return folder;
    });
  }
}
