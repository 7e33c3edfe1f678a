package io.skerry.internal.dataset.virtual.source;

import io.skerry.NoSuchObjectException;
import io.skerry.collective.source.SourceFile;
import io.skerry.collective.trust.ReferencedFiles;
import io.skerry.collective.trust.ReferencedFiles.Found;
import io.skerry.collective.trust.ReferencedFiles.Place;
import io.skerry.format.vds.VirtualMapping;
import io.skerry.internal.dataset.HdfFile;
import io.skerry.internal.dataset.NativeDataset;
import io.skerry.internal.dataset.SourceDatasets;
import io.skerry.parallel.CollectiveException;
import io.skerry.parallel.FileAccess;
import io.skerry.parallel.FileOptions;
import io.skerry.parallel.Locking;
import io.skerry.parallel.UntrustedFileException;
import io.skerry.parallel.VirtualView;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Supplier;

/**
 * The source datasets of a file's virtual datasets, opened when first needed. Local, except {@link
 * #openForWriting}: each rank opens and reads the sources independently, as they exist on disk. A
 * file that is open for writing may be a source of its own virtual datasets; if a single rank has
 * it open, its unflushed changes are read too.
 */
public final class VirtualSources implements SourceDatasets {
  /** The maximum number of open files, including the sources of sources. */
  private static final int FILES_OPEN = 512;

  /**
   * The maximum number of open source files of each source file that itself contains virtual
   * datasets.
   */
  private static final int NESTED_FILES_OPEN = 32;

  private static final List<Place> PLACES =
      List.of(Place.BESIDE, Place.WORKING_FOLDER, Place.BESIDE_BY_LAST_PART);

  private final ReferencedFiles others;
  private final FileOptions options;
  private final Opener opener;
  private final WriteOpener writeOpener;

  /** The virtual datasets that are being read. */
  private final VirtualChain underWay;

  private final WrittenFile own;
  private final SourcePool pool;

  /** Opens the file of a source in this process. */
  @FunctionalInterface
  public interface Opener {
    /**
     * Opens a file.
     *
     * @param others the path of the source file, and the lookup of the files to which it refers
     * @param sources the sources of the virtual datasets in the source file
     * @param check a check that runs after the file is open; if it fails, the file is closed
     */
    HdfFile open(
        ReferencedFiles others, FileOptions options, SourceDatasets sources, Runnable check);
  }

  /** Opens or creates the file of a source on all ranks. */
  @FunctionalInterface
  public interface WriteOpener {
    HdfFile open(Found found, FileAccess access);
  }

  private VirtualSources(
      ReferencedFiles others,
      FileOptions options,
      Opener opener,
      WriteOpener writeOpener,
      VirtualChain underWay,
      WrittenFile own,
      SourcePool pool) {
    this.others = others;
    this.options = options;
    this.opener = opener;
    this.writeOpener = writeOpener;
    this.underWay = underWay;
    this.own = own;
    this.pool = pool;
  }

  /**
   * Creates the sources of a file.
   *
   * @param others the lookup of the files to which the file with the virtual datasets refers
   */
  public static VirtualSources of(
      ReferencedFiles others, FileOptions options, Opener opener, WriteOpener writeOpener) {
    return new VirtualSources(
        others,
        options,
        opener,
        writeOpener,
        new VirtualChain(),
        new WrittenFile(),
        SourcePool.of(FILES_OPEN));
  }

  /** Sets the file with the virtual datasets, which may itself be a source. */
  public void belongTo(HdfFile file) {
    own.is(file);
  }

  /** Returns the sources of the virtual datasets in a file that is itself a source. */
  private VirtualSources below(ReferencedFiles source) {
    return new VirtualSources(
        source, options, opener, writeOpener, underWay, own, pool.below(NESTED_FILES_OPEN));
  }

  /** Releases the file with the virtual datasets, unless a read is in progress. */
  private void releaseOwn() {
    if (underWay.isEmpty()) {
      own.release();
    }
  }

  @Override
  public <T> T guarded(String path, Supplier<T> step) {
    String key = others.path().toAbsolutePath().normalize() + ":" + path;
    underWay.enter(key);
    try {
      return step.get();
    } finally {
      underWay.leave(key);
      releaseOwn();
    }
  }

  @Override
  public Optional<NativeDataset> find(VirtualMapping mapping, long block, String path) {
    return found(mapping, block, path, OpenSource::dataset);
  }

  @Override
  public Optional<Source> source(VirtualMapping mapping, long block, String path) {
    return found(mapping, block, path, OpenSource::readable);
  }

  @Override
  public Optional<Source> shared(VirtualMapping mapping, long block, String path) {
    if (own.isWritten()) {
      return Optional.empty();
    }
    String name = mapping.file().name(block);
    try {
      return pool.byName(name)
          .or(() ->
              locate(mapping, block, path)
                  .flatMap(found ->
                      flat(found, path)
                          .map(file ->
                              pool.add(
                                  found,
                                  name,
                                  key ->
                                      OpenSource.of(
                                          key, file, () -> opened(found, options, path))))))
          .flatMap(file -> file.flatDataset(mapping.dataset().name(block)));
    } catch (UntrustedFileException refused) {
      return Optional.empty();
    }
  }

  @Override
  public int makeRoom(int number, String path) {
    int room = pool.makeRoom(number);
    for (int i = 0; i < room; i++) {
      underWay.count(path);
    }
    return room;
  }

  /** Opens the source of a mapping; returns empty if its file or dataset does not exist. */
  private <T> Optional<T> found(
      VirtualMapping mapping, long block, String path, BiFunction<OpenSource, String, T> opening) {
    underWay.count(path);
    String name = mapping.file().name(block);
    try {
      Optional<OpenSource> source = pool.byName(name);
      if (source.isEmpty()) {
        source =
            locate(mapping, block, path)
                .filter(found -> !own.isAt(found.path()) || own.isReadable())
                .map(found -> open(found, name, path));
      }
      return source.map(file -> opening.apply(file, mapping.dataset().name(block)));
    } catch (NoSuchObjectException e) {
      return Optional.empty();
    } catch (CollectiveException e) {
      if (e.getCause() instanceof NoSuchObjectException) {
        return Optional.empty();
      }
      // The refusal names the source file; the exception that wraps it adds no information.
      throw e.getCause() instanceof UntrustedFileException refusal ? refusal : e;
    }
  }

  /**
   * Finds the file of a source. Searches first in the folders of the {@linkplain
   * io.skerry.parallel.FileOptions#virtualPrefix options}. A relative name is resolved against the
   * directory of the virtual dataset's file, then against the working directory. If no such file
   * exists, the last component of the name is looked up in the directory of the virtual dataset's
   * file. Returns empty if there is no file in any of these places.
   */
  @Override
  public Optional<Found> locate(VirtualMapping mapping, long block, String path) {
    String name = mapping.file().name(block);
    return name.equals(VirtualMapping.SAME_FILE) || others.isItself(name)
        ? Optional.of(others.itself())
        : others.find(name, path, options.virtualPrefix(), PLACES);
  }

  private OpenSource open(Found found, String name, String path) {
    return own.isAt(found.path())
        ? own.source(found.path(), () -> again(found, path))
        : pool.at(found, name, key -> open(found, key, path));
  }

  /** Opens a file, in full only if that is necessary. */
  private OpenSource open(Found found, Path key, String path) {
    Supplier<HdfFile> inFull = () -> opened(found, options, path);
    return flat(found, path)
        .map(file -> OpenSource.of(key, file, inFull))
        .orElseGet(() -> OpenSource.of(key, inFull.get()));
  }

  private Optional<SourceFile> flat(Found found, String path) {
    Optional<SourceFile> file = SourceFile.open(found.path());
    boolean confirmed = false;
    try {
      file.ifPresent(_ -> others.confirm(found, path));
      confirmed = true;
      return file;
    } finally {
      if (!confirmed) {
        file.ifPresent(SourceFile::close);
      }
    }
  }

  /**
   * Opens the file that this program is writing, without locking it, because the program itself
   * holds the lock. No rank flushes the file before all ranks have read.
   */
  private HdfFile again(Found found, String path) {
    return opened(found, options.withLocking(Locking.NONE), path);
  }

  private HdfFile opened(Found found, FileOptions how, String path) {
    ReferencedFiles further = others.namedBy(found);
    return opener.open(further, how, below(further), () -> others.confirm(found, path));
  }

  @Override
  public Found vacancy(VirtualMapping mapping, long block, String path) {
    return others.vacancy(mapping.file().name(block), path, options.virtualPrefix());
  }

  @Override
  public HdfFile openForWriting(Found found, FileAccess access) {
    return writeOpener.open(found, access);
  }

  @Override
  public FileOptions.MissingSources missing() {
    return options.missingSources();
  }

  @Override
  public VirtualView view() {
    return options.virtualView();
  }

  @Override
  public void close() {
    releaseOwn();
    pool.close();
  }
}
