package io.skerry.internal.dataset.virtual;

import io.skerry.collective.trust.ReferencedFiles.Found;
import io.skerry.exception.FormatException;
import io.skerry.format.vds.UnlimitedPart;
import io.skerry.format.vds.VirtualMapping;
import io.skerry.internal.dataset.NativeDataset;
import io.skerry.internal.dataset.SourceDatasets;
import io.skerry.parallel.VirtualView;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Supplier;

/**
 * The sources of one virtual dataset.
 *
 * @param opened the sources of all virtual datasets of the file
 * @param path the path of the virtual dataset
 * @param file the name of its file
 * @param address the address of its mappings in the file
 */
record MappingSources(SourceDatasets opened, String path, String file, long address) {
  /**
   * Returns the source of a mapping; empty if the source file, or the dataset in it, does not
   * exist.
   *
   * @throws io.skerry.parallel.UntrustedFileException if the policy refuses its file
   */
  Optional<NativeDataset> find(VirtualMapping mapping, long block) {
    return opened.find(mapping, block, path);
  }

  /**
   * Returns the source of a mapping, for reads of its elements; empty if the source file, or the
   * dataset in it, does not exist.
   *
   * @throws io.skerry.parallel.UntrustedFileException if the policy refuses its file
   */
  Optional<SourceDatasets.Source> source(VirtualMapping mapping, long block) {
    return opened.source(mapping, block, path);
  }

  /**
   * Returns the source of a mapping for concurrent reads by several threads; empty if there is
   * none, or if {@link #source} must be called to open it or to report why it cannot be opened.
   */
  Optional<SourceDatasets.Source> shared(VirtualMapping mapping, long block) {
    return opened.shared(mapping, block, path);
  }

  /**
   * Closes files so that {@link #shared} can open others; returns the number of sources that may be
   * requested before the next call.
   */
  int makeRoom(int number) {
    return opened.makeRoom(number, path);
  }

  /**
   * Finds the file of a source; empty if it does not exist.
   *
   * @throws io.skerry.parallel.UntrustedFileException if the policy refuses the file
   */
  Optional<Found> locate(VirtualMapping mapping, long block) {
    return opened.locate(mapping, block, path);
  }

  /** Returns the view, which determines the extent. */
  VirtualView view() {
    return opened.view();
  }

  /**
   * Runs a step that opens or reads the virtual dataset.
   *
   * @throws FormatException if a source refers back to the dataset, or a mapping is damaged
   * @throws io.skerry.exception.UnsupportedFeatureException if sources are nested too deeply, or
   *     virtual sources have too many sources
   */
  <T> T guarded(Supplier<T> step) {
    return named(() -> opened.guarded(path, step));
  }

  /** Runs a step. A format exception names the virtual dataset, unless it names a source file. */
  <T> T named(Supplier<T> step) {
    try {
      return step.get();
    } catch (FormatException e) {
      // An exception from a source already names the source file.
      throw e.file().isPresent() ? e : e.inFile(file).inObject(path).atAddress(address);
    }
  }

  /**
   * Returns the number of slices of an unlimited source selection, one slice per index of the
   * unlimited dimension, that are within the extent of the source; 0 if there is no source, or if
   * the source selection is limited.
   */
  long slices(VirtualMapping mapping) {
    OptionalInt dimension = mapping.unlimitedSource();
    Optional<SourceDatasets.Source> source = source(mapping, 0);
    if (source.isEmpty() || dimension.isEmpty()) {
      return 0;
    }
    int d = dimension.getAsInt();
    return UnlimitedPart.ofSource(mapping, d).slicesWithin(source.get().shape().extent(d));
  }
}
