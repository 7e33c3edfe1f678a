package io.skerry.internal.dataset;

import io.skerry.collective.trust.ReferencedFiles.Found;
import io.skerry.format.vds.VirtualMapping;
import io.skerry.parallel.VirtualView;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The source datasets of a file's virtual datasets, opened when first needed. Local: each rank
 * opens the sources by itself, and reads their state on disk.
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
   * Returns the source of a mapping; empty if its file or the dataset in it does not exist.
   *
   * @param path the path of the virtual dataset
   * @throws io.skerry.parallel.UntrustedFileException if the policy refuses its file
   */
  Optional<NativeDataset> find(VirtualMapping mapping, long block, String path);

  /**
   * Finds the file of a source; empty if it does not exist.
   *
   * @param path the path of the virtual dataset
   * @throws io.skerry.parallel.UntrustedFileException if the policy refuses the file
   */
  Optional<Found> locate(VirtualMapping mapping, long block, String path);

  /** Returns the view, which determines the extent of virtual datasets with unlimited mappings. */
  VirtualView view();

  /** Closes the source files. */
  @Override
  void close();
}
