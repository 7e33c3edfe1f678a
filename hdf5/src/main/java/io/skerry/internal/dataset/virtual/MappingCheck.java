package io.skerry.internal.dataset.virtual;

import io.skerry.exception.FormatException;
import io.skerry.exception.MemoryLimitException;
import io.skerry.exception.UnsupportedFeatureException;
import io.skerry.format.vds.VirtualMapping;
import io.skerry.format.vds.VirtualMappings;
import io.skerry.internal.dataset.NativeDataset;
import io.skerry.mpi.MpiException;
import io.skerry.parallel.CollectiveException;
import io.skerry.parallel.UntrustedFileException;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * Compares mappings with their sources. Local.
 *
 * @param shape the extent of the virtual dataset
 * @param failures receives the failures of mappings that do not fit
 * @param missing receives the names of sources that do not exist or cannot be read, and the reason
 */
record MappingCheck(
    MappingSources sources,
    Shape shape,
    Consumer<RuntimeException> failures,
    BiConsumer<String, String> missing) {
  /** Checks all mappings; each missing source is reported once. */
  void check(VirtualParts parts, VirtualMappings mappings) {
    Set<String> named = new HashSet<>();
    for (VirtualMapping mapping : mappings.entries()) {
      // The parts of an unlimited mapping without a source are empty.
      if (mapping.unlimitedVirtual().isPresent() && !mapping.isPerBlock()) {
        var unused = source(mapping, 0, named);
      }
    }
    parts.forEach(
        Selection.all().resolve(shape),
        part -> source(part.mapping(), part.block(), named).ifPresent(source -> fit(part, source)));
  }

  private void fit(Part part, NativeDataset source) {
    try {
      var unused = part.source(source, shape);
    } catch (FormatException e) {
      failures.accept(e);
    }
  }

  private Optional<NativeDataset> source(VirtualMapping mapping, long block, Set<String> named) {
    String name = mapping.file().name(block) + ":" + mapping.dataset().name(block);
    try {
      Optional<NativeDataset> source = sources.find(mapping, block);
      if (source.isEmpty() && named.add(name)) {
        missing.accept(name, "none");
      }
      return source;
    } catch (UntrustedFileException e) {
      // Reported with the refusals.
      return Optional.empty();
    } catch (FormatException
        | UnsupportedFeatureException
        | MemoryLimitException
        | CollectiveException
        | MpiException e) {
      if (named.add(name)) {
        missing.accept(name, String.valueOf(e.getMessage()));
      }
      return Optional.empty();
    }
  }
}
