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
 * Copies objects within a file or from one into another: groups with all below them, datasets of
 * every kind, committed datatypes, attributes, links with their order, comments and times. Each
 * object is copied once, whatever leads to it. Elements are copied as they are stored, without
 * decoding, unless they hold addresses or are to be stored otherwise; the ranks share the work, and
 * none holds more than a few megabytes, or one chunk. Both files must be HDF5 files, open on the
 * same ranks. Methods that copy are collective. Immutable.
 *
 * <p>Virtual datasets and those in external files keep their references to other files, whose names
 * count from the folder of the copy then, unless they are to be stored otherwise.
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

  /** A copier that stores everything as it is. */
  public static ObjectCopier between(H5File source, H5File target, CopyOption... options) {
    Set<CopyOption> set = EnumSet.noneOf(CopyOption.class);
    set.addAll(Arrays.asList(options));
    return new ObjectCopier(source, target, set, _ -> StorageChange.none(), Map.of(), _ -> {});
  }

  /**
   * The same, storing datasets otherwise.
   *
   * @param change tells how, the same on all ranks
   */
  public ObjectCopier storing(Function<Dataset, StorageChange> change) {
    return new ObjectCopier(source, target, options, change, named, progress);
  }

  /** The same, storing the dataset at a path of the source otherwise, whatever holds for all. */
  public ObjectCopier storing(String path, StorageChange change) {
    Map<String, StorageChange> more = new LinkedHashMap<>(named);
    more.put(path, change);
    return new ObjectCopier(source, target, options, storage, more, progress);
  }

  /**
   * The same with an observer.
   *
   * @param watcher hears of bytes of elements that are done, on all ranks together
   */
  public ObjectCopier watchedBy(LongConsumer watcher) {
    return new ObjectCopier(source, target, options, storage, named, watcher);
  }

  /**
   * Copies an object. Collective.
   *
   * @param from path of the object
   * @param to path of the copy; missing groups above are created
   * @throws io.skerry.parallel.CollectiveException if the name is taken, or something cannot be
   *     read; then nothing leads to what was copied
   */
  public void copy(String from, String to) {
    InstalledProvider.get().copy(this, from, to);
  }

  /**
   * Copies what is in the root group, and its attributes, into that of a new file. Collective.
   *
   * @throws io.skerry.parallel.CollectiveException if something cannot be read; the file is to be
   *     discarded then
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
