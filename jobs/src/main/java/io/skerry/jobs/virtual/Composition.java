package io.skerry.jobs.virtual;

import io.skerry.DatasetSpec;
import io.skerry.VirtualLayout;
import io.skerry.jobs.run.JobException;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/**
 * Arranges sources of equal type in a virtual dataset, which has the datatype and the fill value of
 * the first source.
 *
 * @param folder the folder of the new file, to which the names of the sources are relative
 */
record Composition(Path folder, List<SourceDataset> sources) {
  Composition {
    sources = List.copyOf(sources);
    SourceDataset first = sources.getFirst();
    for (SourceDataset each : sources) {
      if (!each.type().equals(first.type())) {
        throw differ("type", first, first.type(), each, each.type());
      }
      if (each.shape().rank() != first.shape().rank()) {
        throw differ(
            "number of dimensions", first, first.shape().rank(), each, each.shape().rank());
      }
    }
  }

  private static JobException differ(
      String what, SourceDataset first, Object expected, SourceDataset other, Object actual) {
    return new JobException(
        "the sources differ in their %s: first=%s expected=%s other=%s actual=%s"
            .formatted(what, first, expected, other, actual));
  }

  private int rank() {
    return sources.getFirst().shape().rank();
  }

  /**
   * Returns the specification of a dataset in which each source is one index of a new first
   * dimension.
   */
  DatasetSpec stacked() {
    long[] inner = sources.getFirst().shape().extent();
    VirtualLayout.Builder layout = VirtualLayout.builder();
    for (int i = 0; i < sources.size(); i++) {
      SourceDataset source = sources.get(i);
      for (int d = 0; d < inner.length; d++) {
        checkExtent(d, inner[d], source);
      }
      layout.map(
          Selection.box(before(i, new long[inner.length]), before(1, inner)), source.from(folder));
    }
    return spec(Shape.of(before(sources.size(), inner)), layout);
  }

  private static long[] before(long first, long[] rest) {
    long[] all = new long[rest.length + 1];
    all[0] = first;
    System.arraycopy(rest, 0, all, 1, rest.length);
    return all;
  }

  /** Returns the specification of a dataset that concatenates the sources along a dimension. */
  DatasetSpec concatenated(int axis) {
    if (axis < 0 || axis >= rank()) {
      throw new JobException(
          "the sources have no such dimension: axis=%d dimensions=%d".formatted(axis, rank()));
    }
    long[] extent = sources.getFirst().shape().extent();
    long[] start = new long[extent.length];
    VirtualLayout.Builder layout = VirtualLayout.builder();
    for (SourceDataset source : sources) {
      for (int d = 0; d < extent.length; d++) {
        if (d != axis) {
          checkExtent(d, extent[d], source);
        }
      }
      layout.map(Selection.box(start, source.shape().extent()), source.from(folder));
      start[axis] += source.shape().extent(axis);
    }
    extent[axis] = start[axis];
    return spec(Shape.of(extent), layout);
  }

  /**
   * Returns the specification of a dataset in which the sources are tiles of the last two
   * dimensions.
   */
  DatasetSpec tiled(VirtualOptions.Grid grid) {
    if (sources.size() != (long) grid.rows() * grid.columns() || rank() < 2) {
      throw new JobException(
          "a grid needs one source of two or more dimensions per tile: grid=%dx%d sources=%d dimensions=%d"
              .formatted(grid.rows(), grid.columns(), sources.size(), rank()));
    }
    int down = rank() - 2;
    int across = rank() - 1;
    long[] extent = sources.getFirst().shape().extent();
    long[] start = new long[rank()];
    VirtualLayout.Builder layout = VirtualLayout.builder();
    for (int row = 0; row < grid.rows(); row++) {
      start[across] = 0;
      SourceDataset firstOfRow = sources.get(row * grid.columns());
      for (int column = 0; column < grid.columns(); column++) {
        SourceDataset source = sources.get(row * grid.columns() + column);
        for (int d = 0; d < down; d++) {
          checkExtent(d, extent[d], source);
        }
        checkExtent(down, firstOfRow.shape().extent(down), source);
        checkExtent(across, sources.get(column).shape().extent(across), source);
        layout.map(Selection.box(start, source.shape().extent()), source.from(folder));
        start[across] += source.shape().extent(across);
      }
      start[down] += firstOfRow.shape().extent(down);
    }
    extent[down] = start[down];
    extent[across] = start[across];
    return spec(Shape.of(extent), layout);
  }

  private static void checkExtent(int dimension, long expected, SourceDataset source) {
    if (source.shape().extent(dimension) != expected) {
      throw new JobException(
          "a source has another extent: source=%s dimension=%d expected=%d actual=%d"
              .formatted(source, dimension, expected, source.shape().extent(dimension)));
    }
  }

  /**
   * Returns the specification of a dataset that has one source per block along the first dimension
   * and can grow in this dimension.
   *
   * @param name the file names and dataset paths of the sources, with {@code %b}
   */
  DatasetSpec perBlock(BlockNames name) {
    long[] block = sources.getFirst().shape().extent();
    if (block.length == 0 || block[0] == 0) {
      throw new JobException(
          "a block needs a first dimension with elements: source=" + sources.getFirst());
    }
    long[] ones = new long[block.length];
    Arrays.fill(ones, 1);
    long[] stride = ones.clone();
    stride[0] = block[0];
    long[] count = ones.clone();
    count[0] = Shape.UNLIMITED;
    long[] extent = block.clone();
    extent[0] = Math.multiplyExact(block[0], sources.size());
    long[] maximum = block.clone();
    maximum[0] = Shape.UNLIMITED;
    VirtualLayout.Builder layout = VirtualLayout.builder();
    layout.map(
        Selection.at(new long[block.length]).stride(stride).count(count).block(block),
        name.from(folder).select(sources.getFirst().elements()));
    return spec(Shape.of(extent, maximum), layout);
  }

  private DatasetSpec spec(Shape shape, VirtualLayout.Builder layout) {
    SourceDataset first = sources.getFirst();
    return DatasetSpec.of(first.type(), shape)
        .virtual(layout.build())
        .fillValue(first.fill().segment().toArray(ValueLayout.JAVA_BYTE));
  }
}
