package io.skerry.internal.dataset;

import io.skerry.collective.trust.ReferencedFiles;
import io.skerry.exception.FormatException;
import io.skerry.format.vds.UnlimitedPart;
import io.skerry.format.vds.VirtualMapping;
import io.skerry.format.vds.VirtualMappings;
import io.skerry.parallel.UntrustedFileException;
import io.skerry.selection.AllSelection;
import io.skerry.selection.Box;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * The mappings of a virtual dataset, with unlimited selections reduced to the extent of their
 * sources. Computes the extent of the dataset and the source of each element. All existing sources
 * are used, but the extent of a mapping with one source per block ends at its first missing source.
 */
public final class VirtualParts {
  private final VirtualMappings mappings;
  private final VirtualSources sources;
  private final String path;

  /**
   * Creates the parts of a virtual dataset.
   *
   * @param path the path of the virtual dataset
   */
  public VirtualParts(VirtualMappings mappings, VirtualSources sources, String path) {
    this.mappings = mappings;
    this.sources = sources;
    this.path = path;
  }

  /**
   * A part of a virtual dataset with one source.
   *
   * @param mapping the mapping of the part
   * @param block the number of the block, for a mapping with one source per block
   * @param virtual the elements of the part in the virtual dataset
   */
  record Part(VirtualMapping mapping, long block, Selection virtual) {}

  /** Receives the parts of a virtual dataset. */
  @FunctionalInterface
  interface PartVisitor {
    void visit(Part part);
  }

  /**
   * Returns the extent of the virtual dataset; unlimited mappings end where their sources end.
   *
   * @param stored the extent in the file
   */
  public Shape extent(Shape stored) {
    long[] grown = new long[stored.rank()];
    Arrays.fill(grown, -1);
    long[] least = new long[stored.rank()];
    for (VirtualMapping mapping : mappings.entries()) {
      OptionalInt unlimited = mapping.unlimitedVirtual();
      if (unlimited.isPresent()) {
        int d = unlimited.getAsInt();
        grown[d] = Math.max(grown[d], reach(mapping, d));
      } else if (!(mapping.virtual() instanceof AllSelection)) {
        mapping
            .virtual()
            .boundingBox(stored)
            .ifPresent(box -> {
              for (int d = 0; d < least.length; d++) {
                least[d] = Math.max(least[d], box.end(d));
              }
            });
      }
    }
    long[] extent = stored.extent();
    for (int d = 0; d < extent.length; d++) {
      if (grown[d] >= 0) {
        long limit = stored.maximum(d) == Shape.UNLIMITED ? Long.MAX_VALUE : stored.maximum(d);
        extent[d] = Math.min(limit, Math.max(grown[d], least[d]));
      }
    }
    return countable(Shape.of(extent, stored.maximum()));
  }

  /** Rejects an extent with more than 2^63 - 1 elements. */
  private static Shape countable(Shape grown) {
    try {
      long unused = grown.elements();
      return grown;
    } catch (ArithmeticException e) {
      throw new FormatException("elements of a virtual dataset", "at most 2^63-1", grown);
    }
  }

  private long reach(VirtualMapping mapping, int dimension) {
    UnlimitedPart virtual = UnlimitedPart.ofVirtual(mapping, dimension);
    if (mapping.isPerBlock()) {
      long blocks = 0;
      while (source(mapping, blocks).isPresent()) {
        blocks++;
      }
      return virtual.extentOfBlocks(blocks);
    }
    return virtual.extentOf(sourceSlices(mapping));
  }

  /**
   * Returns the number of slices of an unlimited source selection that lie within the extent of the
   * source.
   */
  private long sourceSlices(VirtualMapping mapping) {
    OptionalInt dimension = mapping.unlimitedSource();
    Optional<NativeDataset> source = source(mapping, 0);
    if (source.isEmpty() || dimension.isEmpty()) {
      return 0;
    }
    int d = dimension.getAsInt();
    return UnlimitedPart.ofSource(mapping, d).slicesWithin(source.get().shape().extent(d));
  }

  /**
   * Returns the source of a mapping; empty if its file or the dataset in it does not exist.
   *
   * @throws io.skerry.parallel.UntrustedFileException if the policy refuses its file
   */
  Optional<NativeDataset> source(VirtualMapping mapping, long block) {
    return sources.find(mapping, block, path);
  }

  /**
   * Returns the exceptions with which the policy refuses source files, one for each refused file.
   * For a mapping with one source per block, only the file of the first block is checked.
   */
  public List<UntrustedFileException> refusals() {
    Set<String> names = new HashSet<>();
    List<UntrustedFileException> refusals = new ArrayList<>();
    for (VirtualMapping mapping : mappings.entries()) {
      if (names.add(mapping.file().name(0))) {
        try {
          var unused = sources.locate(mapping, 0, path);
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
    return sources.guarded(
        path,
        () -> {
          Set<String> names = new HashSet<>();
          Set<Path> files = new HashSet<>();
          mappings.entries().forEach(mapping -> addFiles(mapping, names, files));
          return files;
        });
  }

  private void addFiles(VirtualMapping mapping, Set<String> names, Set<Path> files) {
    long block = 0;
    boolean more;
    do {
      String name = mapping.file().name(block) + ":" + mapping.dataset().name(block);
      more = names.add(name) && addFiles(mapping, block, files) && mapping.isPerBlock();
      block++;
    } while (more);
  }

  /** Adds the files of one source; returns false if there is no source or the policy refuses it. */
  private boolean addFiles(VirtualMapping mapping, long block, Set<Path> files) {
    try {
      Optional<ReferencedFiles.Found> file = sources.locate(mapping, block, path);
      Optional<NativeDataset> source = source(mapping, block);
      file.map(ReferencedFiles.Found::path).ifPresent(files::add);
      source.map(NativeDataset::elementFiles).ifPresent(files::addAll);
      return source.isPresent();
    } catch (UntrustedFileException e) {
      return false;
    }
  }

  /** Visits the parts that intersect a selection. */
  void forEach(Shape shape, Selection wanted, PartVisitor visitor) {
    for (VirtualMapping mapping : mappings.entries()) {
      OptionalInt unlimited = mapping.unlimitedVirtual();
      if (unlimited.isEmpty()) {
        visit(new Part(mapping, 0, mapping.virtual().resolve(shape)), wanted, visitor);
        continue;
      }
      int d = unlimited.getAsInt();
      UnlimitedPart virtual = UnlimitedPart.ofVirtual(mapping, d);
      if (!mapping.isPerBlock()) {
        Selection whole = mapping.virtual().resolve(shape);
        if (!whole.intersect(wanted).isEmpty()) {
          visit(new Part(mapping, 0, virtual.first(sourceSlices(mapping))), wanted, visitor);
        }
        continue;
      }
      new Blocks(mapping, virtual, d, shape, visitor)
          .visit(0, virtual.blocksWithin(shape.extent(d)), wanted);
    }
  }

  /**
   * The parts of a mapping with one source per block.
   *
   * @param virtual the blocks along the unlimited dimension
   * @param dimension the index of that dimension
   * @param shape the extent of the virtual dataset
   */
  private record Blocks(
      VirtualMapping mapping,
      UnlimitedPart virtual,
      int dimension,
      Shape shape,
      PartVisitor visitor) {
    /**
     * Visits the blocks from {@code first} to before {@code end} that intersect a selection. Halves
     * the range, since the dataset may have far more blocks than the selection meets.
     */
    void visit(long first, long end, Selection wanted) {
      Optional<Box> bounds = wanted.boundingBox(shape);
      if (bounds.isEmpty()) {
        return;
      }
      long from = Math.max(first, virtual.blocksBefore(bounds.get().start(dimension)));
      long to = Math.min(end, virtual.blocksWithin(bounds.get().end(dimension)));
      if (to - from > 1) {
        long middle = from + (to - from) / 2;
        visit(from, middle, wanted.intersect(range(from, middle)));
        visit(middle, to, wanted.intersect(range(middle, to)));
      } else if (from < to) {
        VirtualParts.visit(new Part(mapping, from, virtual.block(from)), wanted, visitor);
      }
    }

    /** Returns the elements from the start of one block to before the end of a later one. */
    private Selection range(long first, long end) {
      long[] start = new long[shape.rank()];
      long[] size = shape.extent();
      start[dimension] = virtual.startOf(first);
      size[dimension] = Math.min(size[dimension], virtual.endOf(end - 1)) - start[dimension];
      return Selection.box(start, size);
    }
  }

  private static void visit(Part part, Selection wanted, PartVisitor visitor) {
    if (!part.virtual().isEmpty() && !part.virtual().intersect(wanted).isEmpty()) {
      visitor.visit(part);
    }
  }

  /** Rejects a selection whose number of dimensions differs from that of its dataset. */
  public static void checkRank(String what, Selection selection, Shape shape) {
    if (selection.rank().orElse(shape.rank()) != shape.rank()) {
      throw new FormatException(
          "rank of the " + what + " selection of a mapping",
          shape.rank(),
          selection.rank().getAsInt());
    }
  }

  /** Rejects a selection that exceeds the extent of its dataset. */
  static void checkWithin(String what, Selection selection, Shape shape) {
    Optional<Box> box = selection.boundingBox(shape);
    for (int d = 0; box.isPresent() && d < shape.rank(); d++) {
      if (box.get().end(d) > shape.extent(d)) {
        throw new FormatException(
            "end of the " + what + " selection of a mapping in dimension " + d,
            "at most " + shape.extent(d),
            box.get().end(d));
      }
    }
  }

  /**
   * Returns the elements of the source that a part maps. In a valid mapping, their number equals
   * the number of elements of the part in the virtual dataset.
   */
  static Selection source(Part part, Shape source) {
    Selection selection = part.mapping().source();
    checkRank("source", selection, source);
    OptionalInt unlimited = part.mapping().unlimitedSource();
    if (unlimited.isEmpty()) {
      checkWithin("source", selection, source);
      return selection.resolve(source);
    }
    int d = unlimited.getAsInt();
    UnlimitedPart slices = UnlimitedPart.ofSource(part.mapping(), d);
    Selection first = slices.first(slices.slicesWithin(source.extent(d)));
    checkWithin("source", first, source);
    return first;
  }
}
