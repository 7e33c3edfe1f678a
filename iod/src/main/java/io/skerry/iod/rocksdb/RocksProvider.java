package io.skerry.iod.rocksdb;

import io.skerry.iod.engine.Container;
import io.skerry.iod.engine.ContainerAccess;
import io.skerry.iod.engine.ContainerException;
import io.skerry.iod.engine.ContainerException.Reason;
import io.skerry.iod.engine.ContainerInfo;
import io.skerry.iod.engine.EngineLocation;
import io.skerry.iod.engine.EngineProvider;
import io.skerry.iod.engine.Manifest;
import io.skerry.iod.engine.Opening;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.rocksdb.Cache;
import org.rocksdb.LRUCache;

/** The embedded engine, whose locations are {@code iod:} and the path of a folder. */
public final class RocksProvider implements EngineProvider {
  private static final String SCHEME = "iod";

  /** Creates the engine. */
  public RocksProvider() {}

  @Override
  public String scheme() {
    return SCHEME;
  }

  private static ContainerFolder folder(EngineLocation location) {
    if (!location.scheme().equals(SCHEME)) {
      throw new IllegalArgumentException(
          "scheme of a location: expected=" + SCHEME + " actual=" + location.scheme());
    }
    return new ContainerFolder(Path.of(location.path()).toAbsolutePath().normalize());
  }

  @Override
  public ContainerInfo create(EngineLocation location, int shards) {
    ContainerInfo info = new ContainerInfo(UUID.randomUUID(), Manifest.VERSION, shards);
    ContainerFolder folder = folder(location);
    NativeLibrary.load(folder.path().toString());
    boolean begun = false;
    boolean complete = false;
    try {
      createFolder(folder);
      begun = true;
      folder.begin(Manifest.of(info));
      createShards(folder, info);
      folder.complete();
      complete = true;
      return info;
    } catch (IOException e) {
      throw Faults.of(folder.path()).of(e);
    } finally {
      if (begun && !complete) {
        discard(folder);
      }
    }
  }

  private static void createFolder(ContainerFolder folder) throws IOException {
    try {
      folder.create();
    } catch (FileAlreadyExistsException e) {
      throw new ContainerException(
          Reason.EXISTS, folder.path().toString(), "nothing", folder.content());
    } catch (NoSuchFileException e) {
      throw new ContainerException(
          Reason.MISSING, folder.path().toString(), "a folder above it", "nothing");
    }
  }

  private static void createShards(ContainerFolder folder, ContainerInfo info) {
    Faults faults = Faults.of(folder.path());
    try (Cache cache = new LRUCache(0)) {
      for (int number = 0; number < info.shards(); number++) {
        ShardStore.create(
            folder.shard(number),
            new ShardIdentity(info.id(), number),
            cache,
            faults.ofShard(number));
      }
    }
  }

  /** Removes the remains of a failed creation; if this fails too, they stay incomplete. */
  private static void discard(ContainerFolder folder) {
    try {
      folder.delete();
    } catch (IOException e) {
      // The caller gets the first failure. The remains do not open and can be removed later.
      return;
    }
  }

  @Override
  public ContainerInfo info(EngineLocation location) {
    ContainerFolder folder = folder(location);
    try {
      return folder.manifest().info();
    } catch (IOException e) {
      throw Faults.of(folder.path()).of(e);
    }
  }

  @Override
  public Container open(EngineLocation location, Opening opening) {
    ContainerFolder folder = folder(location);
    try {
      Manifest manifest = folder.manifest();
      if (opening.snapshot().isPresent()) {
        folder = RocksSnapshots.folder(folder, opening.snapshot().get());
        manifest = folder.manifest();
      }
      if (opening.access() == ContainerAccess.WRITE && manifest.transaction().isPresent()) {
        throw new IllegalArgumentException(
            "a snapshot can only be read: path=" + folder.path() + " access=" + opening.access());
      }
      NativeLibrary.load(folder.path().toString());
      return RocksContainer.open(location, folder, manifest, opening);
    } catch (IOException e) {
      throw Faults.of(folder.path()).of(e);
    }
  }

  @Override
  public void remove(EngineLocation location) {
    ContainerFolder folder = folder(location);
    try {
      if (!folder.isIncomplete() && !(Files.isDirectory(folder.path()) && folder.isEmpty())) {
        // Even a damaged description identifies a container that may be removed.
        if (!folder.isComplete()) {
          Manifest unused = folder.manifest();
        }
      }
      remove(folder);
    } catch (IOException e) {
      throw Faults.of(folder.path()).of(e);
    }
  }

  @Override
  public boolean isTaken(EngineLocation location) {
    return Files.exists(folder(location).path(), LinkOption.NOFOLLOW_LINKS);
  }

  @Override
  public long bytes(EngineLocation location) {
    ContainerFolder folder = folder(location);
    try {
      var unused = folder.manifest();
      return folder.bytes();
    } catch (IOException e) {
      throw Faults.of(folder.path()).of(e);
    }
  }

  @Override
  public void move(EngineLocation from, EngineLocation to) {
    ContainerFolder folder = folder(from);
    Path destination = folder(to).path();
    try {
      var unused = folder.manifest();
      if (isTaken(to)) {
        throw new ContainerException(
            Reason.EXISTS, destination.toString(), "nothing", "a file or folder");
      }
      Files.move(folder.path(), destination);
    } catch (IOException e) {
      throw Faults.of(folder.path()).of(e);
    }
  }

  @Override
  public EngineLocation beside(EngineLocation location, String suffix) {
    Path path = folder(location).path();
    return new EngineLocation(SCHEME, path.resolveSibling(path.getFileName() + suffix).toString());
  }

  @Override
  public boolean isInFileSystem() {
    return true;
  }

  private static void remove(ContainerFolder folder) throws IOException {
    List<ShardLock> locks = new ArrayList<>();
    try {
      for (int number : folder.shards()) {
        locks.add(ShardLock.take(folder.lock(number)));
      }
      folder.delete();
    } finally {
      for (ShardLock lock : locks) {
        lock.close();
      }
    }
  }
}
