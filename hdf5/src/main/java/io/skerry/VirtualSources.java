package io.skerry;

import io.skerry.chunk.FormatException;
import io.skerry.collective.CollectiveException;
import io.skerry.collective.FileOptions;
import io.skerry.format.vds.VirtualMapping;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * The source datasets of a file's virtual datasets, opened when first needed. Local: each rank
 * opens and reads what it needs by itself, in files of its own, as they are on disk.
 */
final class VirtualSources implements AutoCloseable {
  private static final int FILES_OPEN = 32;

  private final Path owner;
  private final FileOptions options;
  private final Set<String> underWay;
  private final Map<Path, NativeFile> files = new LinkedHashMap<>(16, 0.75f, true);

  private VirtualSources(Path owner, FileOptions options, Set<String> underWay) {
    this.owner = owner;
    this.options = options;
    this.underWay = underWay;
  }

  static VirtualSources of(Path owner, FileOptions options) {
    return new VirtualSources(owner, options, new HashSet<>());
  }

  /** The sources of a file that is itself a source. */
  private VirtualSources below(Path source) {
    return new VirtualSources(source, options, underWay);
  }

  /**
   * Opens or reads a virtual dataset, which may come to others.
   *
   * @throws FormatException if the others lead back to it
   */
  <T> T guarded(String path, Supplier<T> step) {
    String key = owner.toAbsolutePath().normalize() + ":" + path;
    if (!underWay.add(key)) {
      throw new FormatException("a virtual dataset is made of itself", "other datasets", key);
    }
    try {
      return step.get();
    } finally {
      underWay.remove(key);
    }
  }

  /** The source of a mapping; empty if its file or the dataset in it does not exist. */
  Optional<NativeDataset> find(VirtualMapping mapping, long block) {
    Optional<Path> path = locate(mapping.file().name(block));
    if (path.isEmpty()) {
      return Optional.empty();
    }
    NativeFile source = open(path.get());
    String name = mapping.dataset().name(block);
    try {
      return Optional.of(source.dataset(name));
    } catch (NoSuchObjectException e) {
      return Optional.empty();
    } catch (CollectiveException e) {
      if (e.getCause() instanceof NoSuchObjectException) {
        return Optional.empty();
      }
      throw e;
    }
  }

  /** Beside the virtual dataset's file, then as the process sees it. */
  private Optional<Path> locate(String name) {
    if (name.equals(VirtualMapping.SAME_FILE)) {
      return Optional.of(owner);
    }
    try {
      Path beside = owner.toAbsolutePath().resolveSibling(name).normalize();
      Path moved = owner.toAbsolutePath().resolveSibling(Path.of(name).getFileName());
      for (Path candidate : new Path[] {beside, Path.of(name), moved}) {
        if (Files.isRegularFile(candidate)) {
          return Optional.of(candidate);
        }
      }
    } catch (InvalidPathException e) {
      // A name that no file system takes is that of a file that does not exist.
    }
    return Optional.empty();
  }

  private NativeFile open(Path path) {
    Path key = path.toAbsolutePath().normalize();
    NativeFile known = files.get(key);
    if (known == null) {
      known = NativeFile.openSource(path, options, below(path));
      files.put(key, known);
      closeEldest();
    }
    return known;
  }

  /** A detector may write one file per frame. */
  private void closeEldest() {
    if (files.size() > FILES_OPEN) {
      Iterator<NativeFile> all = files.values().iterator();
      NativeFile eldest = all.next();
      all.remove();
      eldest.close();
    }
  }

  @Override
  public void close() {
    files.values().forEach(NativeFile::close);
    files.clear();
  }
}
