package io.skerry.internal.dataset;

import io.skerry.collective.trust.ReferencedFiles.Found;
import io.skerry.datatype.Datatype;
import io.skerry.format.vds.VirtualMapping;
import io.skerry.parallel.FileAccess;
import io.skerry.parallel.FileOptions;
import io.skerry.parallel.VirtualView;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import io.skerry.spi.StoredDataset;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The source datasets of a file's virtual datasets, opened when first needed. Local, except {@link
 * #openForWriting}: each rank opens and reads the sources independently, as they exist on disk. If
 * a single rank has the file open for writing, sources in that file are read with their unflushed
 * changes.
 */
public interface SourceDatasets extends AutoCloseable {
  /**
   * Runs a step that opens or reads a virtual dataset. The sources of the dataset may be virtual
   * datasets themselves.
   *
   * @param path the path of the virtual dataset
   * @throws io.skerry.exception.FormatException if a source refers back to the dataset
   * @throws io.skerry.exception.UnsupportedFeatureException if sources are nested too deeply, or
   *     virtual sources have too many sources
   */
  <T> T guarded(String path, Supplier<T> step);

  /**
   * Returns the source of a mapping; empty if the source file, or the dataset in it, does not
   * exist.
   *
   * @param block the number of the block, for a mapping with one source per block; otherwise 0
   * @param path the path of the virtual dataset
   * @throws io.skerry.parallel.UntrustedFileException if the policy refuses its file
   */
  Optional<NativeDataset> find(VirtualMapping mapping, long block, String path);

  /**
   * A source dataset for reads of its elements by this rank alone. Valid until another source is
   * requested, unless {@link SourceDatasets#shared} has returned it.
   */
  interface Source {
    /** Returns the path of the dataset in its file. */
    String path();

    /** Returns the extent of the dataset. */
    Shape shape();

    /** Returns the datatype of the elements. */
    Datatype datatype();

    /**
     * Reads elements.
     *
     * @param memory the memory datatype
     * @param values the buffer, with one value for each selected element, in selection order
     */
    void read(Selection selection, Datatype memory, MemorySegment values);

    /**
     * Returns whether all elements are known to be defined; false for sparse and virtual datasets.
     */
    boolean isDense();

    /** Returns the defined elements of a selection. */
    Selection defined(Selection selection);
  }

  /**
   * A dataset of a file that is open in full.
   *
   * @param elements the access to its elements that involves no other rank
   */
  record Opened(NativeDataset dataset, StoredDataset elements) implements Source {
    /** Creates a source whose chunks are kept in memory for further reads. */
    public Opened(NativeDataset dataset) {
      this(dataset, dataset.local());
    }

    /** Returns a source of which chunks that need no decoding are not kept in memory. */
    public static Opened once(NativeDataset dataset) {
      return new Opened(dataset, dataset.localOnce());
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
      elements.read(selection, memory, _ -> values);
    }

    @Override
    public boolean isDense() {
      return !(dataset.opened() instanceof Storage.Virtual) && !dataset.isSparse();
    }

    @Override
    public Selection defined(Selection selection) {
      return elements.defined(selection);
    }
  }

  /**
   * Returns the source of a mapping like {@link #find}, for reads of its elements. The source file
   * need not be opened in full if the elements are in one block or in the object header.
   *
   * @param path the path of the virtual dataset
   * @throws io.skerry.parallel.UntrustedFileException if the policy refuses its file
   */
  default Optional<Source> source(VirtualMapping mapping, long block, String path) {
    return find(mapping, block, path).map(Opened::new);
  }

  /**
   * Returns the source of a mapping for concurrent reads by several threads, if it can be read
   * without opening its file in full. May be called by any thread. The source is valid until a
   * source is requested through another method.
   *
   * @param path the path of the virtual dataset
   * @return the source; empty if there is none, or if {@link #source} must be called to open it or
   *     to report why it cannot be opened
   */
  default Optional<Source> shared(VirtualMapping mapping, long block, String path) {
    return Optional.empty();
  }

  /**
   * Closes the least recently used files so that {@link #shared} can open others.
   *
   * @param number the number of sources that the caller wants to request
   * @param path the path of the virtual dataset
   * @return the number of sources that may be requested before the next call, at least 1
   * @throws io.skerry.exception.UnsupportedFeatureException if virtual sources have too many
   *     sources
   */
  default int makeRoom(int number, String path) {
    return number;
  }

  /**
   * Finds the file of a source; empty if it does not exist.
   *
   * @param path the path of the virtual dataset
   * @throws io.skerry.parallel.UntrustedFileException if the policy refuses the file
   */
  Optional<Found> locate(VirtualMapping mapping, long block, String path);

  /**
   * Returns the path at which to create the missing file of a source.
   *
   * @param path the path of the virtual dataset
   * @throws io.skerry.parallel.UntrustedFileException if the policy refuses the file
   * @throws IllegalArgumentException if the file name is not a valid path
   */
  Found vacancy(VirtualMapping mapping, long block, String path);

  /** Returns the treatment of missing sources when a virtual dataset is written. */
  FileOptions.MissingSources missing();

  /** Returns the view, which determines the extent of virtual datasets with unlimited mappings. */
  VirtualView view();

  /**
   * Opens or creates the file of a source, on all ranks that have the file of the virtual dataset
   * open. The caller closes it. Collective.
   *
   * @throws io.skerry.parallel.CollectiveException on all ranks if any of them cannot open it
   */
  HdfFile openForWriting(Found found, FileAccess access);

  /** Closes the source files; those needed later are opened again. */
  @Override
  void close();
}
