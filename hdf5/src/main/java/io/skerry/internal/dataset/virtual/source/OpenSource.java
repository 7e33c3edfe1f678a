package io.skerry.internal.dataset.virtual.source;

import io.skerry.collective.source.SourceFile;
import io.skerry.datatype.Datatype;
import io.skerry.exception.FormatException;
import io.skerry.exception.UnsupportedFeatureException;
import io.skerry.internal.dataset.HdfFile;
import io.skerry.internal.dataset.NativeDataset;
import io.skerry.internal.dataset.SourceDatasets;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Supplier;

/**
 * An open source file. It is open either in full or only for reads of {@linkplain FlatSource flat}
 * datasets. In the latter case, the file is closed and opened in full when full access is first
 * needed. Keeps the most recently used datasets. Local; not thread-safe unless stated otherwise.
 */
final class OpenSource implements AutoCloseable {
  private static final int DATASETS_OPEN = 64;

  private final Path path;
  private final Supplier<HdfFile> opener;
  private final BiFunction<HdfFile, String, NativeDataset> datasetOpener;
  private final Owner owner;
  private final Map<String, NativeDataset> datasets = new Recent<>();
  private final Map<String, Optional<SourceDatasets.Source>> flatDatasets = new Recent<>();
  private Optional<HdfFile> whole = Optional.empty();
  private Optional<SourceFile> flat;

  /** The object that closes a file that is open in full. */
  private enum Owner {
    THIS,
    ANOTHER
  }

  /** A map that drops the least recently used entries. */
  private static final class Recent<T> extends LinkedHashMap<String, T> {
    private static final long serialVersionUID = 1;

    Recent() {
      super(4, 0.75f, true);
    }

    @Override
    protected boolean removeEldestEntry(Map.Entry<String, T> eldest) {
      return size() > DATASETS_OPEN;
    }
  }

  private OpenSource(
      Path path,
      Supplier<HdfFile> opener,
      BiFunction<HdfFile, String, NativeDataset> datasetOpener,
      Owner owner,
      Optional<SourceFile> flat) {
    this.path = path;
    this.opener = opener;
    this.datasetOpener = datasetOpener;
    this.owner = owner;
    this.flat = flat;
  }

  /**
   * Returns a source file that is open only for reads of {@linkplain FlatSource flat} datasets.
   *
   * @param opener a supplier that opens the file in full
   */
  static OpenSource of(Path path, SourceFile flat, Supplier<HdfFile> opener) {
    return new OpenSource(path, opener, HdfFile::dataset, Owner.THIS, Optional.of(flat));
  }

  /** Returns a source file that is open in full, and that is closed with this object. */
  static OpenSource of(Path path, HdfFile file) {
    OpenSource source =
        new OpenSource(path, () -> file, HdfFile::dataset, Owner.THIS, Optional.empty());
    source.whole = Optional.of(file);
    return source;
  }

  /**
   * Returns the file with the virtual datasets as a source; it remains open after {@link #close}.
   */
  static OpenSource within(Path path, HdfFile file) {
    return new OpenSource(path, () -> file, HdfFile::datasetHere, Owner.ANOTHER, Optional.empty());
  }

  /** Returns the path that identifies the file in the pool. */
  Path path() {
    return path;
  }

  /**
   * Returns the dataset at a path; opens the file in full if necessary.
   *
   * @throws io.skerry.NoSuchObjectException if there is no dataset at the path
   */
  NativeDataset dataset(String name) {
    NativeDataset known = datasets.get(name);
    if (known != null) {
      return known;
    }
    NativeDataset opened = datasetOpener.apply(whole(), name);
    datasets.put(name, opened);
    return opened;
  }

  private HdfFile whole() {
    if (whole.isEmpty()) {
      closeFlat();
      whole = Optional.of(opener.get());
    }
    return whole.get();
  }

  private void closeFlat() {
    Optional<SourceFile> open = flat;
    flat = Optional.empty();
    flatDatasets.clear();
    open.ifPresent(SourceFile::close);
  }

  /**
   * Returns the dataset at a path, for reads of its elements.
   *
   * @throws io.skerry.NoSuchObjectException if there is no dataset at the path
   */
  SourceDatasets.Source readable(String name) {
    Optional<SourceDatasets.Source> found = flatDataset(name);
    return found.isPresent()
        ? new Flat(found.get(), name)
        : new SourceDatasets.Opened(dataset(name));
  }

  /**
   * Returns the dataset at a path if it is {@linkplain FlatSource flat} and the file is not open in
   * full. Thread-safe, as long as no other method is called concurrently.
   */
  synchronized Optional<SourceDatasets.Source> flatDataset(String name) {
    return flat.flatMap(
        file -> flatDatasets.computeIfAbsent(name, other -> FlatSource.open(file, other)));
  }

  /** Closes the file, unless it is the file with the virtual datasets. */
  @Override
  public void close() {
    closeFlat();
    if (owner == Owner.THIS) {
      whole.ifPresent(HdfFile::close);
    }
  }

  /** A flat dataset. If a read fails, opens the file in full and repeats the read. */
  private final class Flat implements SourceDatasets.Source {
    private final SourceDatasets.Source dataset;
    private final String name;

    Flat(SourceDatasets.Source dataset, String name) {
      this.dataset = dataset;
      this.name = name;
    }

    @Override
    public String path() {
      return dataset.path();
    }

    @Override
    public Shape shape() {
      return dataset.shape();
    }

    @Override
    public Datatype datatype() {
      return dataset.datatype();
    }

    @Override
    public void read(Selection selection, Datatype memory, MemorySegment values) {
      try {
        dataset.read(selection, memory, values);
      } catch (FormatException | UnsupportedFeatureException unreadable) {
        // A failure of this second read names the file and the object, as for any other dataset.
        dataset(name).local().read(selection, memory, _ -> values);
      }
    }

    @Override
    public boolean isDense() {
      return dataset.isDense();
    }

    @Override
    public Selection defined(Selection selection) {
      return dataset.defined(selection);
    }
  }
}
