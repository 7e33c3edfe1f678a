package io.skerry.internal.dataset.virtual;

import io.skerry.VirtualLayout;
import io.skerry.collective.dataset.TypedMemory;
import io.skerry.datatype.Datatype;
import io.skerry.format.vds.VirtualMappings;
import io.skerry.internal.dataset.NativeDataset;
import io.skerry.internal.dataset.SourceDatasets;
import io.skerry.internal.dataset.VirtualContent;
import io.skerry.parallel.UntrustedFileException;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import io.skerry.value.StoredElements;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/** The elements of a virtual dataset, which its mappings assign to source datasets. */
public final class MappedContent implements VirtualContent {
  private final VirtualMappings mappings;
  private final MappingSources sources;

  /**
   * Creates the content of a virtual dataset.
   *
   * @param sources the sources of the virtual datasets in the file
   * @param path the path of the virtual dataset
   */
  public MappedContent(VirtualMappings mappings, SourceDatasets sources, String path) {
    this.mappings = mappings;
    this.sources = new MappingSources(sources, path);
  }

  /**
   * Rejects virtual selections whose number of dimensions differs from that of the dataset.
   *
   * @throws io.skerry.exception.FormatException if there is such a selection
   */
  public void checkRanks(Shape shape) {
    mappings
        .ofOtherRank(shape.rank())
        .ifPresent(
            index -> Part.checkRank("virtual", mappings.entries().get(index).virtual(), shape));
  }

  @Override
  public Shape extent(Shape stored) {
    return sources.guarded(() -> new VirtualExtent(mappings, sources).of(stored));
  }

  @Override
  public void read(Shape shape, Datatype type, Selection selection, TypedMemory target) {
    new VirtualReader(new VirtualParts(mappings, sources, shape), sources, shape, type)
        .read(selection, target);
  }

  @Override
  public StoredElements readElements(NativeDataset dataset, Shape shape, Selection selection) {
    VirtualParts parts = new VirtualParts(mappings, sources, shape);
    return new VirtualElements(parts, sources, shape, dataset.datatype()).read(dataset, selection);
  }

  @Override
  public Selection defined(Shape shape, Selection selection) {
    return new VirtualDefined(new VirtualParts(mappings, sources, shape), sources, shape)
        .among(selection);
  }

  @Override
  public boolean isSparse() {
    return new SourceFiles(mappings, sources).isSparse();
  }

  @Override
  public List<UntrustedFileException> refusals() {
    return new SourceFiles(mappings, sources).refusals();
  }

  @Override
  public Set<Path> elementFiles() {
    return new SourceFiles(mappings, sources).elementFiles();
  }

  @Override
  public VirtualLayout layout() {
    return LayoutConversion.layout(mappings);
  }
}
