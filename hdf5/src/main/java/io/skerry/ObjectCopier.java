package io.skerry;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.LongConsumer;

/**
 * Copies objects within a file or into another file: groups with all objects below them, datasets
 * of every kind, committed datatypes, attributes, links in their original order, comments, and
 * timestamps. An object with several links is copied once. Chunks are copied as stored, without
 * decoding, unless their elements contain addresses or the storage changes. The ranks share the
 * work. Both files must be open on the same ranks. Immutable.
 *
 * <p>The files may belong to different connectors. The target then refuses objects that it cannot
 * store, the options {@code EXPAND_*} of {@link CopyOption} are not supported, and the creation
 * order of links is not kept.
 *
 * <p>Unless their storage changes, the copies of virtual datasets and of datasets in external files
 * contain the same file names as the originals; relative names are resolved against the folder of
 * the target file, not against that of the source file. {@link CopyOption#MATERIALIZE_VIRTUAL} and
 * {@link CopyOption#REBASE_VIRTUAL} change this for virtual datasets.
 */
public final class ObjectCopier {
  private final H5File source;
  private final H5File target;
  private final Set<CopyOption> options;
  private final Function<Dataset, StorageChange> storage;
  private final Map<String, StorageChange> named;
  private final LongConsumer progress;
  private final Optional<Path> folder;

  private ObjectCopier(
      H5File source,
      H5File target,
      Set<CopyOption> options,
      Function<Dataset, StorageChange> storage,
      Map<String, StorageChange> named,
      LongConsumer progress,
      Optional<Path> folder) {
    this.source = source;
    this.target = target;
    this.options = options;
    this.storage = storage;
    this.named = named;
    this.progress = progress;
    this.folder = folder;
  }

  /**
   * Creates a copier that keeps the storage of all datasets. Local, thread-safe; does not fail.
   *
   * @param source the file to copy from
   * @param target the file to copy into, open for writing; it may be the source
   * @param options the options, equal on all ranks
   * @return the copier
   */
  public static ObjectCopier between(H5File source, H5File target, CopyOption... options) {
    Set<CopyOption> set = EnumSet.noneOf(CopyOption.class);
    set.addAll(Arrays.asList(options));
    return new ObjectCopier(
        Objects.requireNonNull(source),
        Objects.requireNonNull(target),
        set,
        _ -> StorageChange.none(),
        Map.of(),
        _ -> {},
        Optional.empty());
  }

  /**
   * Returns a copier like this one that changes the storage of datasets. Local, thread-safe; does
   * not fail.
   *
   * @param change a function that returns the change for each dataset; its results must be equal on
   *     all ranks. If it throws an exception on one rank, the copy fails on all ranks
   * @return the new copier
   */
  public ObjectCopier storing(Function<Dataset, StorageChange> change) {
    return new ObjectCopier(
        source, target, options, Objects.requireNonNull(change), named, progress, folder);
  }

  /**
   * Returns a copier that changes the storage of one dataset; the function of {@link
   * #storing(Function)} is ignored for it. Local, thread-safe; does not fail, but the copy fails if
   * there is no dataset at the path.
   *
   * @param path the path of the dataset in the source
   * @param change the change for the dataset, equal on all ranks
   * @return the new copier
   */
  public ObjectCopier storing(String path, StorageChange change) {
    Map<String, StorageChange> more = new LinkedHashMap<>(named);
    more.put(Objects.requireNonNull(path), Objects.requireNonNull(change));
    return new ObjectCopier(source, target, options, storage, more, progress, folder);
  }

  /**
   * Returns a copier that reports its progress. Local, thread-safe; does not fail.
   *
   * <p>Each rank calls its own watcher after each part of a dataset, with the number of bytes that
   * all ranks together have copied since the previous call. If chunks are copied without decoding,
   * stored bytes are counted; otherwise, the bytes of the elements are counted. For chunks that are
   * encoded again, the number is an estimate: the bytes of this rank times the number of ranks. The
   * copy fails if a watcher deletes a dataset whose elements have not been copied, and it fails on
   * all ranks if a watcher fails on one of them.
   *
   * @param watcher a consumer of the number of bytes copied since the previous call, not of a
   *     running total
   * @return the new copier
   */
  public ObjectCopier watchedBy(LongConsumer watcher) {
    return new ObjectCopier(
        source, target, options, storage, named, Objects.requireNonNull(watcher), folder);
  }

  /**
   * Returns a copier for a target file that will later be moved to the given folder: {@link
   * CopyOption#REBASE_VIRTUAL} makes names relative to that folder. Local, thread-safe; does not
   * fail.
   *
   * @param destination the folder in which the target file will be, equal on all ranks
   * @return the new copier
   */
  public ObjectCopier movedTo(Path destination) {
    return new ObjectCopier(
        source, target, options, storage, named, progress, Optional.of(destination));
  }

  /**
   * Copies an object, and all objects below it. Flushes the source first if it is open for writing.
   * Collective.
   *
   * @param from the path of the object, equal on all ranks
   * @param to the path of the copy, equal on all ranks; missing groups above it are created
   * @throws io.skerry.parallel.CollectiveException on all ranks if the flush of the source fails
   *     before its commit, the name is taken, the object does not exist or cannot be read, a
   *     dataset cannot be stored as requested, a function of the copier fails, memory or disk space
   *     is insufficient, or the ranks pass different paths or use different copiers. In these cases
   *     no link to the copy exists.
   * @throws io.skerry.parallel.CommitException on all ranks if the commit of a flush fails
   * @throws NoSuchObjectException on all ranks if there is no dataset at a path that was passed to
   *     {@link #storing(String, StorageChange)}
   * @throws io.skerry.exception.UnsupportedFeatureException if the files belong to different
   *     connectors and an option is not supported between them, or an object cannot be stored by
   *     the connector of the target; this exception may also be the cause of a {@code
   *     CollectiveException}
   * @throws IllegalArgumentException if one of the files was not opened by {@link H5File} or {@link
   *     io.skerry.spi.Connectors}
   * @throws IllegalStateException if a file is closed, or the target is open for reading only
   */
  public void copy(String from, String to) {
    InstalledProvider.get().copy(this, from, to);
  }

  /**
   * Copies the members and the attributes of the root group into the root group of a new file.
   * Other attributes that the new file already has are kept. Flushes the source first if it is open
   * for writing. Collective.
   *
   * @throws io.skerry.parallel.CollectiveException on all ranks if the flush of the source fails
   *     before its commit, the target has members or an attribute with the same name as one to be
   *     copied, an object cannot be read, a dataset cannot be stored as requested, a function of
   *     the copier fails, memory or disk space is insufficient, or the copiers of the ranks differ.
   *     If the target has members or such an attribute, it is unchanged; in all other cases the
   *     target must be discarded.
   * @throws io.skerry.parallel.CommitException on all ranks if the commit of a flush fails
   * @throws NoSuchObjectException on all ranks if there is no dataset at a path that was passed to
   *     {@link #storing(String, StorageChange)}
   * @throws io.skerry.exception.UnsupportedFeatureException if the files belong to different
   *     connectors and an option is not supported between them, or an object cannot be stored by
   *     the connector of the target; this exception may also be the cause of a {@code
   *     CollectiveException}
   * @throws IllegalArgumentException if one of the files was not opened by {@link H5File} or {@link
   *     io.skerry.spi.Connectors}
   * @throws IllegalStateException if a file is closed, or the target is open for reading only
   */
  public void copyAll() {
    InstalledProvider.get().copyAll(this);
  }

  /**
   * Returns the file to copy from. Local, thread-safe; does not fail.
   *
   * @return the source
   */
  public H5File source() {
    return source;
  }

  /**
   * Returns the file to copy into. Local, thread-safe; does not fail.
   *
   * @return the target
   */
  public H5File target() {
    return target;
  }

  /**
   * Returns the options of the copy. Local, thread-safe; does not fail.
   *
   * @return the options; empty if none were given
   */
  public Set<CopyOption> options() {
    // The ranks compare the options as text, so their order must be the same in every JVM.
    return Collections.unmodifiableSet(options);
  }

  /**
   * Returns the function for datasets whose path is not in {@link #named()}. Local, thread-safe;
   * does not fail.
   *
   * @return the function from a dataset to its storage change; by default, nothing changes
   */
  public Function<Dataset, StorageChange> storage() {
    return storage;
  }

  /**
   * Returns the storage changes for individual datasets. Local, thread-safe; does not fail.
   *
   * @return an unmodifiable map from the path of a dataset in the source to its change
   */
  public Map<String, StorageChange> named() {
    return Collections.unmodifiableMap(named);
  }

  /**
   * Returns the consumer that receives the progress. Local, thread-safe; does not fail.
   *
   * @return the consumer passed to {@link #watchedBy}; by default, it does nothing
   */
  public LongConsumer progress() {
    return progress;
  }

  /**
   * Returns the folder to which the target file will be moved. Local, thread-safe; does not fail.
   *
   * @return the folder; empty if the file stays where it is
   */
  public Optional<Path> folder() {
    return folder;
  }
}
