package io.skerry.internal.dataset.through;

import io.skerry.collective.trust.ReferencedFiles.Found;
import io.skerry.format.vds.UnlimitedPart;
import io.skerry.format.vds.VirtualMapping;
import io.skerry.internal.dataset.NativeDataset;
import io.skerry.internal.dataset.SourceDatasets;
import io.skerry.internal.value.ElementTransfer;
import io.skerry.parallel.FileAccess;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** Collects the specifications of missing sources of a virtual dataset. Local; opens no files. */
public final class AbsentSources {
  private final SourceDatasets sources;
  private final NativeDataset dataset;
  private final List<VirtualMapping> mappings;
  private final Shape shape;
  private final Map<String, MissingSource> found = new LinkedHashMap<>();

  /** The mappings with a single source, by the name of that source; filled when first needed. */
  private final Map<String, List<VirtualMapping>> named = new HashMap<>();

  /**
   * Creates an empty collection.
   *
   * @param dataset the virtual dataset
   * @param shape the extent of the virtual dataset
   */
  public AbsentSources(
      SourceDatasets sources, NativeDataset dataset, List<VirtualMapping> mappings, Shape shape) {
    this.sources = sources;
    this.dataset = dataset;
    this.mappings = mappings;
    this.shape = shape;
  }

  /** Returns the sources that were added, without duplicates. */
  public List<MissingSource> found() {
    return new ArrayList<>(found.values());
  }

  /**
   * Adds the source of a mapping.
   *
   * @param block the number of the block, for a mapping with one source per block
   * @throws io.skerry.parallel.UntrustedFileException if the policy refuses the file of the source
   * @throws IllegalArgumentException if the mappings do not determine the extent of the source, or
   *     if its file name is not a valid path
   */
  public void add(VirtualMapping mapping, long block) {
    String name = name(mapping, block);
    if (found.containsKey(name)) {
      return;
    }
    SourceExtent extent = new SourceExtent(name);
    if (mapping.isPerBlock()) {
      extent.add(mapping, virtual(mapping, block), shape);
    } else {
      if (named.isEmpty()) {
        mappings.stream()
            .filter(other -> !other.isPerBlock())
            .forEach(
                other -> named.computeIfAbsent(name(other, 0), _ -> new ArrayList<>()).add(other));
      }
      named
          .getOrDefault(name, List.of())
          .forEach(other -> extent.add(other, virtual(other, 0), shape));
    }
    String path = dataset.location().shown();
    Optional<Found> file = sources.locate(mapping, block, path);
    found.put(
        name,
        new MissingSource(
            file.orElseGet(() -> sources.vacancy(mapping, block, path)),
            file.isPresent() ? FileAccess.WRITE : FileAccess.CREATE_NEW,
            mapping.dataset().name(block),
            dataset.datatype(),
            extent.shape(),
            fill()));
  }

  /**
   * Returns the fill value, zeros if none is defined; empty if elements contain addresses, which
   * are valid only in this file.
   */
  private Optional<byte[]> fill() {
    return ElementTransfer.holdsAddresses(dataset.datatype())
        ? Optional.empty()
        : Optional.of(dataset.fillValue());
  }

  private static String name(VirtualMapping mapping, long block) {
    return mapping.file().name(block) + ":" + mapping.dataset().name(block);
  }

  private Selection virtual(VirtualMapping mapping, long block) {
    OptionalInt unlimited = mapping.unlimitedVirtual();
    return mapping.isPerBlock() && unlimited.isPresent()
        ? UnlimitedPart.ofVirtual(mapping, unlimited.getAsInt()).block(block)
        : mapping.virtual().resolve(shape);
  }
}
