package io.skerry.internal.dataset.virtual;

import io.skerry.DatasetWrite;
import io.skerry.VirtualLayout;
import io.skerry.collective.dataset.TypedMemory;
import io.skerry.collective.share.SharedRead;
import io.skerry.datatype.Datatype;
import io.skerry.exception.FormatException;
import io.skerry.format.vds.VirtualMapping;
import io.skerry.format.vds.VirtualMappings;
import io.skerry.internal.dataset.HdfFile;
import io.skerry.internal.dataset.NativeDataset;
import io.skerry.internal.dataset.VirtualContent;
import io.skerry.internal.dataset.through.SourceChange;
import io.skerry.internal.dataset.through.SourcePlan;
import io.skerry.internal.dataset.through.SourceWriter;
import io.skerry.parallel.UntrustedFileException;
import io.skerry.parallel.VirtualView;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import io.skerry.value.StoredElements;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** The elements of a virtual dataset, which its mappings assign to source datasets. */
public final class MappedContent implements VirtualContent {
  private final VirtualMappings mappings;
  private final HdfFile file;
  private final MappingSources sources;
  private final MappingIndex index;

  /**
   * The extent that contains all elements with a source; empty before the extent is computed. It
   * may exceed the extent of a dataset that ends at the first missing element.
   */
  private volatile Optional<Shape> whole = Optional.empty();

  /** The block counts found when the extent was computed; empty before that. */
  private volatile Optional<VirtualExtent.BlockCounts> counts = Optional.empty();

  /** True if a source is sparse; empty if no source has been examined yet. */
  private volatile Optional<Boolean> sparse = Optional.empty();

  /**
   * Creates the content of a virtual dataset.
   *
   * @param file the file with the virtual dataset
   * @param path the path of the virtual dataset
   * @param address the address of the mappings in the file
   */
  public MappedContent(VirtualMappings mappings, HdfFile file, String path, long address) {
    this.mappings = mappings;
    this.file = file;
    this.index = new MappingIndex(mappings);
    this.sources = new MappingSources(file.sources(), path, file.path().toString(), address);
  }

  /**
   * Rejects virtual selections whose number of dimensions differs from that of the dataset.
   *
   * @throws io.skerry.exception.FormatException if there is such a selection
   */
  public void checkRanks(Shape shape) {
    mappings
        .ofOtherRank(shape.rank())
        .ifPresent(index -> {
          VirtualMapping mapping = mappings.entries().get(index);
          try {
            Part.checkRank("virtual", mapping.virtual(), shape);
          } catch (FormatException e) {
            throw Part.in(mapping, 0, e);
          }
        });
  }

  @Override
  public Shape extent(Shape stored) {
    return sources.guarded(() -> {
      VirtualExtent.BlockCounts found = new VirtualExtent.BlockCounts(mappings, sources);
      Shape extent = new VirtualExtent(mappings, sources, found, sources.view()).of(stored);
      counts = Optional.of(found);
      whole = Optional.of(extent);
      if (sources.view().end() == VirtualView.End.FIRST_MISSING) {
        Shape last = new VirtualExtent(mappings, sources, found, VirtualView.standard()).of(stored);
        long[] most = extent.extent();
        Arrays.setAll(most, d -> Math.max(most[d], last.extent(d)));
        whole = Optional.of(Shape.of(most, stored.maximum()));
      }
      return extent;
    });
  }

  @Override
  public boolean growsWithSources() {
    return mappings.unlimited().length > 0;
  }

  @Override
  public Shape resized(Shape stored) {
    VirtualExtent.BlockCounts blocks = new VirtualExtent.BlockCounts(mappings, sources);
    new VirtualExtent(mappings, sources, blocks, sources.view()).checkContains(stored);
    Shape shape = extent(stored);
    if (!shape.equals(stored)) {
      throw new IllegalArgumentException(
          "the sources of unlimited mappings determine the extent: requested="
              + stored
              + " actual="
              + shape
              + " dataset="
              + sources.path());
    }
    return shape;
  }

  /**
   * Compares each mapping with its source, or with each of its sources if it has one per block.
   *
   * @param stored the extent in the file
   * @param failures a consumer of the failures of mappings that do not fit their sources
   * @param missing a consumer of the names of sources that do not exist or cannot be read, and of
   *     the reason
   */
  public void examine(
      Shape stored, Consumer<RuntimeException> failures, BiConsumer<String, String> missing) {
    VirtualParts parts = parts(extent(stored));
    boolean unused =
        sources.guarded(() -> {
          new SourceFiles(mappings, sources).examine(parts, failures, missing);
          return true;
        });
  }

  /** Resolves a selection against the extent of the dataset, which must contain it. */
  private static Selection within(Shape shape, Selection selection) {
    selection.checkWithin(shape);
    return selection.resolve(shape);
  }

  private VirtualParts parts(Shape shape) {
    VirtualExtent.BlockCounts blocks =
        counts.orElseGet(() -> new VirtualExtent.BlockCounts(mappings, sources));
    return new VirtualParts(index, sources, blocks::of, whole.orElse(shape));
  }

  /**
   * Returns a reader of the dataset.
   *
   * @param shape the extent of the dataset
   * @param type the memory datatype
   */
  VirtualReader reader(Shape shape, Datatype type) {
    VirtualParts parts = parts(shape);
    return new VirtualReader(parts, sources, file.collective(), parts.shape(), type);
  }

  /** Returns the sources of the dataset. */
  MappingSources sources() {
    return sources;
  }

  /** Runs a step that reads the dataset as a source. */
  <T> T guarded(Supplier<T> step) {
    return sources.guarded(step);
  }

  @Override
  public void read(Shape shape, Datatype type, Selection selection, TypedMemory target) {
    reader(shape, type).read(within(shape, selection), target);
  }

  @Override
  public void readTogether(
      SharedRead read, Shape shape, Datatype type, Selection selection, TypedMemory target) {
    new SharedReader(read, reader(shape, type), target).read(() -> within(shape, selection));
  }

  @Override
  public StoredElements readElements(NativeDataset dataset, Shape shape, Selection selection) {
    return elementsOf(shape).read(dataset, within(shape, selection));
  }

  @Override
  public Optional<StoredElements> readElementsTogether(
      SharedRead read, NativeDataset dataset, Shape shape, Selection selection) {
    return new SharedElements(read, elementsOf(shape), dataset)
        .read(() -> within(shape, selection));
  }

  /**
   * Returns a reader of elements that refer to data stored elsewhere: variable-length values and
   * references.
   *
   * @param shape the extent of the dataset
   */
  VirtualElements elementsOf(Shape shape) {
    return new VirtualElements(parts(shape), sources);
  }

  @Override
  public Selection defined(Shape shape, Selection selection) {
    return definedIn(shape).among(within(shape, selection));
  }

  @Override
  public Optional<Selection> definedTogether(SharedRead read, Shape shape, Selection selection) {
    return new SharedDefined(read, definedIn(shape)).among(() -> within(shape, selection));
  }

  /**
   * Returns a query for the defined elements.
   *
   * @param shape the extent of the dataset
   */
  VirtualDefined definedIn(Shape shape) {
    VirtualParts parts = parts(shape);
    return new VirtualDefined(parts, sources, parts.shape());
  }

  @Override
  public void write(NativeDataset dataset, Selection selection, DatasetWrite.Content content) {
    change(dataset, selection, SourceChange.writing(content));
  }

  @Override
  public void erase(NativeDataset dataset, Selection selection) {
    change(dataset, selection, new SourceChange.Erasure());
  }

  private void change(NativeDataset dataset, Selection selection, SourceChange change) {
    new SourceWriter(dataset.file(), dataset.location().shown(), change)
        .apply(() -> {
          Selection resolved = within(dataset.shape(), selection);
          change.checkCount(resolved.count(dataset.shape()));
          return plan(dataset, resolved, change);
        });
  }

  /** Assigns the selected elements to the sources to which the change is applied. Local. */
  SourcePlan plan(NativeDataset dataset, Selection selection, SourceChange change) {
    // A write may create the sources of additional blocks.
    VirtualParts parts =
        new VirtualParts(index, sources, _ -> Long.MAX_VALUE, whole.orElse(dataset.shape()));
    return new VirtualRoutes(parts, sources, dataset, change, selection).plan();
  }

  @Override
  public boolean isSparse() {
    boolean known = sparse.orElseGet(() -> new SourceFiles(mappings, sources).isSparse());
    sparse = Optional.of(known);
    return known;
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
