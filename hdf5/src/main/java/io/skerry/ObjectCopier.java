package io.skerry;

import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.LongConsumer;

/**
 * Copies objects within a file or into another file: groups with all objects below them, datasets
 * of every kind, committed datatypes, attributes, links with their order, comments and times. An
 * object with several links is copied once. Chunks are copied as stored, without decoding, unless
 * elements hold addresses or the storage changes. The ranks share the work, and each holds a few
 * megabytes or one chunk at a time. Both files must be HDF5 files, open on the same ranks. Methods
 * that copy are collective. Immutable.
 *
 * <p>Copies of virtual datasets and of those in external files refer to the same names of other
 * files, relative to the folder of the copy, unless their storage changes.
 */
public final class ObjectCopier {
  private final H5File source;
  private final H5File target;
  private final Set<CopyOption> options;
  private final Function<Dataset, StorageChange> storage;
  private final Map<String, StorageChange> named;
  private final LongConsumer progress;

  private ObjectCopier(
      H5File source,
      H5File target,
      Set<CopyOption> options,
      Function<Dataset, StorageChange> storage,
      Map<String, StorageChange> named,
      LongConsumer progress) {
    this.source = source;
    this.target = target;
    this.options = options;
    this.storage = storage;
    this.named = named;
    this.progress = progress;
  }

  /** Makes a copier that keeps the storage of all datasets. */
  public static ObjectCopier between(H5File source, H5File target, CopyOption... options) {
    Set<CopyOption> set = EnumSet.noneOf(CopyOption.class);
    set.addAll(Arrays.asList(options));
    return new ObjectCopier(source, target, set, _ -> StorageChange.none(), Map.of(), _ -> {});
  }

  /**
   * Returns a copier that changes the storage of datasets.
   *
   * @param change the change for each dataset, equal on all ranks
   */
  public ObjectCopier storing(Function<Dataset, StorageChange> change) {
    return new ObjectCopier(source, target, options, change, named, progress);
  }

  /** Returns a copier that changes the storage of one dataset of the source, before all rules. */
  public ObjectCopier storing(String path, StorageChange change) {
    Map<String, StorageChange> more = new LinkedHashMap<>(named);
    more.put(path, change);
    return new ObjectCopier(source, target, options, storage, more, progress);
  }

  /**
   * Returns a copier that reports its progress.
   *
   * @param watcher receives numbers of bytes of copied elements, summed over the ranks
   */
  public ObjectCopier watchedBy(LongConsumer watcher) {
    return new ObjectCopier(source, target, options, storage, named, watcher);
  }

  /**
   * Copies an object. Collective.
   *
   * @param from the path of the object
   * @param to the path of the copy; missing groups above it are created
   * @throws io.skerry.parallel.CollectiveException on all ranks if the name is taken, or something
   *     cannot be read; no link to the copy exists then
   */
  public void copy(String from, String to) {
    InstalledProvider.get().copy(this, from, to);
  }

  /**
   * Copies the members and the attributes of the root group into that of a new file. Collective.
   *
   * @throws io.skerry.parallel.CollectiveException on all ranks if something cannot be read; the
   *     target has to be discarded then
   */
  public void copyAll() {
    InstalledProvider.get().copyAll(this);
  }

  /** The file that is copied from. */
  public H5File source() {
    return source;
  }

  /** The file that is copied into. */
  public H5File target() {
    return target;
  }

  /** The options. */
  public Set<CopyOption> options() {
    return Set.copyOf(options);
  }

  /** The storage of datasets that have no rule of their own. */
  public Function<Dataset, StorageChange> storage() {
    return storage;
  }

  /** The rules for single datasets, by their paths in the source. */
  public Map<String, StorageChange> named() {
    return Collections.unmodifiableMap(named);
  }

  /** Receives numbers of bytes of elements that were copied. */
  public LongConsumer progress() {
    return progress;
  }
}
