package io.skerry.internal.dataset.virtual;

import io.skerry.collective.trust.ReferencedFiles.Found;
import io.skerry.exception.FormatException;
import io.skerry.exception.MemoryLimitException;
import io.skerry.exception.UnsupportedFeatureException;
import io.skerry.format.vds.NamePattern;
import io.skerry.format.vds.VirtualMapping;
import io.skerry.format.vds.VirtualMappings;
import io.skerry.internal.dataset.NativeDataset;
import io.skerry.mpi.MpiException;
import io.skerry.parallel.CollectiveException;
import io.skerry.parallel.UntrustedFileException;
import io.skerry.parallel.VirtualView;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** Examines the sources of a virtual dataset, and lists the files that contain its elements. */
record SourceFiles(VirtualMappings mappings, MappingSources sources) {
  /** The maximum number of sources that are opened to determine whether the dataset is sparse. */
  private static final int EXAMINED = 32;

  /**
   * Returns the exceptions with which the policy refuses source files, one for each name of a
   * refused file. For a mapping with one source per block, only the file of the first block is
   * checked.
   */
  List<UntrustedFileException> refusals() {
    Set<String> names = new HashSet<>();
    List<UntrustedFileException> refusals = new ArrayList<>();
    for (VirtualMapping mapping : mappings.entries()) {
      if (names.add(mapping.file().name(0))) {
        try {
          var unused = sources.locate(mapping, 0);
        } catch (UntrustedFileException e) {
          refusals.add(e);
        }
      }
    }
    return refusals;
  }

  /**
   * Returns the source files that exist and are not refused, and the other files that contain
   * elements of the sources.
   */
  Set<Path> elementFiles() {
    return sources.guarded(() -> {
      Set<String> names = new HashSet<>();
      Set<Path> files = new HashSet<>();
      mappings.entries().forEach(mapping -> addFiles(mapping, names, files));
      return files;
    });
  }

  /**
   * Returns whether one of the first sources is sparse. Sources that cannot be opened are skipped.
   */
  boolean isSparse() {
    Set<String> names = new HashSet<>();
    NamePattern file = new NamePattern("");
    NamePattern dataset = file;
    for (VirtualMapping mapping : mappings.entries()) {
      // Mappings often have the same names as the preceding mapping.
      boolean more = !mapping.file().equals(file) || !mapping.dataset().equals(dataset);
      file = mapping.file();
      dataset = mapping.dataset();
      for (long block = 0; more && names.size() < EXAMINED; block++) {
        String name = mapping.file().name(block) + ":" + mapping.dataset().name(block);
        if (names.add(name) && isSparse(mapping, block)) {
          return true;
        }
        more = mapping.isPerBlock();
      }
      if (names.size() >= EXAMINED) {
        return false;
      }
    }
    return false;
  }

  private boolean isSparse(VirtualMapping mapping, long block) {
    try {
      return sources.guarded(
          () -> sources.find(mapping, block).filter(NativeDataset::isSparse).isPresent());
    } catch (FormatException
        | UnsupportedFeatureException
        | MemoryLimitException
        | CollectiveException
        | UntrustedFileException
        | MpiException unreadable) {
      return false;
    }
  }

  private void addFiles(VirtualMapping mapping, Set<String> names, Set<Path> files) {
    long gap = sources.view().end() == VirtualView.End.FIRST_MISSING ? 0 : sources.view().gap();
    long end = mapping.isPerBlock() ? gap : 0;
    for (long block = 0; block <= end; block++) {
      String name = mapping.file().name(block) + ":" + mapping.dataset().name(block);
      if (names.add(name) && addFiles(mapping, block, files) && mapping.isPerBlock()) {
        end = block + 1 + Math.min(gap, Long.MAX_VALUE - 2 - block);
      }
    }
  }

  /** Adds the files of one source; returns false if there is no source or the policy refuses it. */
  private boolean addFiles(VirtualMapping mapping, long block, Set<Path> files) {
    try {
      Optional<Found> file = sources.locate(mapping, block);
      Optional<NativeDataset> source = sources.find(mapping, block);
      file.map(Found::path).ifPresent(files::add);
      source.map(NativeDataset::elementFiles).ifPresent(files::addAll);
      return source.isPresent();
    } catch (UntrustedFileException e) {
      return false;
    }
  }

  /**
   * Compares all mappings with their sources.
   *
   * @param failures a consumer of the failures of mappings that do not fit their sources
   * @param missing a consumer of the name of each source that does not exist or cannot be read, and
   *     of the reason; called once for each such source
   */
  void examine(
      VirtualParts parts, Consumer<RuntimeException> failures, BiConsumer<String, String> missing) {
    Set<String> named = new HashSet<>();
    BiConsumer<String, String> once =
        (name, reason) -> {
          if (named.add(name)) {
            missing.accept(name, reason);
          }
        };
    for (VirtualMapping mapping : mappings.entries()) {
      // An unlimited mapping without a source has no parts, so its source is checked here.
      if (mapping.unlimitedVirtual().isPresent() && !mapping.isPerBlock()) {
        var unused = readable(mapping, 0, once);
      }
    }
    parts.forEach(
        Selection.all().resolve(parts.shape()),
        part ->
            readable(part.mapping(), part.block(), once)
                .ifPresent(source -> fit(part, source, parts.shape(), failures)));
  }

  private static void fit(
      Part part, NativeDataset source, Shape shape, Consumer<RuntimeException> failures) {
    try {
      var unused = part.source(source, shape);
    } catch (FormatException e) {
      failures.accept(e);
    }
  }

  private Optional<NativeDataset> readable(
      VirtualMapping mapping, long block, BiConsumer<String, String> missing) {
    String name = mapping.file().name(block) + ":" + mapping.dataset().name(block);
    try {
      Optional<NativeDataset> source = sources.find(mapping, block);
      if (source.isEmpty()) {
        missing.accept(name, "none");
      }
      return source;
    } catch (UntrustedFileException e) {
      // The method refusals() reports this failure.
      return Optional.empty();
    } catch (FormatException
        | UnsupportedFeatureException
        | MemoryLimitException
        | CollectiveException
        | MpiException e) {
      missing.accept(name, String.valueOf(e.getMessage()));
      return Optional.empty();
    }
  }
}
