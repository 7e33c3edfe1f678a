package io.skerry.iod.connector.tile;

import io.skerry.DatasetSpec;
import io.skerry.StorageStatistics;
import io.skerry.StorageStatistics.DenseEstimate;
import io.skerry.StorageStatistics.Fragmentation;
import io.skerry.StorageStatistics.SectionUsage;
import io.skerry.chunk.ChunkImage;
import io.skerry.chunk.SectionTable;
import io.skerry.chunk.bytes.HeapBytes;
import io.skerry.chunk.dataspace.RunSet;
import io.skerry.chunk.format.ChunkFormat;
import io.skerry.chunk.format.DenseChunkFormat;
import io.skerry.filter.Filter;
import io.skerry.filter.pipeline.FilterSet;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Computes statistics of the stored tiles of a chunked dataset: reads all tiles, and encodes up to
 * {@link #SAMPLES} tiles of a sparse dataset densely for an estimate. Local, not thread-safe.
 */
public final class TileStatistics {
  private static final int SAMPLES = 16;
  private static final int VALUES = 1;
  private static final List<String> SECTIONS = List.of("locations", "values", "heap");

  private final Tiles tiles;
  private final Shape extent;
  private final boolean isSparse;
  private final long tileBytes;
  private final long[] stored = new long[SECTIONS.size()];
  private final long[] unfiltered = new long[SECTIONS.size()];
  private final Map<Selection.Form, Long> forms = new EnumMap<>(Selection.Form.class);
  private long chunks;
  private long allocated;
  private long defined;
  private long skipping;
  private long sampled;
  private long denseBytes;
  private int sections = 1;

  private TileStatistics(Tiles tiles, Shape extent) {
    this.tiles = tiles;
    this.extent = extent;
    ChunkFormat format = tiles.layout().format();
    this.isSparse = format.definedness() == ChunkFormat.Definedness.WRITTEN;
    this.tileBytes = format.elements() * format.datatype().size();
  }

  /**
   * Returns the statistics of a dataset with chunks.
   *
   * @param extent the extent of the dataset
   * @throws io.skerry.exception.FormatException if a tile is damaged
   * @throws ArithmeticException if the extent has more than 2^63-1 chunks
   */
  public static StorageStatistics of(Tiles tiles, Shape extent) {
    TileStatistics walk = new TileStatistics(tiles, extent);
    tiles.forEach((scaled, _) -> walk.visit(scaled));
    return walk.result();
  }

  private void visit(long[] scaled) {
    var unused =
        tiles.decoded(
            scaled,
            (format, image) -> {
              count(scaled, image.sections());
              if (isSparse) {
                open(scaled, format, image);
              }
              return true;
            });
  }

  private void count(long[] scaled, SectionTable table) {
    chunks++;
    allocated += tiles.layout().grid().inside(scaled, extent).count();
    sections = Math.max(sections, table.sections());
    boolean isSkipped = false;
    for (int section = 0; section < table.sections(); section++) {
      stored[section] += table.length(section);
      unfiltered[section] += unfilteredLength(table, section);
      isSkipped |= table.filterMask(section) != 0;
    }
    skipping += isSkipped ? 1 : 0;
  }

  private long unfilteredLength(SectionTable table, int section) {
    if (table.sections() == 1) {
      return tileBytes;
    }
    return table.unfilteredSizes().length == 0
        ? table.length(section)
        : table.unfilteredSizes()[section];
  }

  private void open(long[] scaled, ChunkFormat format, ChunkImage image) {
    MemorySegment first = image.bytes().asSlice(0, image.sections().length(0));
    format
        .locations(first, image.sections())
        .ifPresent(found -> {
          RunSet inside = tiles.layout().grid().inside(scaled, extent);
          defined += found.defined().intersect(inside).count();
          forms.merge(found.form(), 1L, Long::sum);
        });
    if (sampled < SAMPLES && format.contentPacking().isEmpty()) {
      RunSet all = RunSet.range(0, format.elements());
      MemorySegment values = format.readStored(image, all, (bytes, _) -> HeapBytes.allocate(bytes));
      DatasetSpec spec = tiles.layout().metadata().spec();
      denseBytes +=
          DenseChunkFormat.of(format.chunkShape(), format.datatype())
              .withPipeline(
                  spec.filters()
                      .withFilterSet(FilterSet.installed())
                      .of(VALUES)
                      .withGrowth(Filter.Growth.STORED))
              .encodeWritten(all, values)
              .orElseThrow()
              .bytes()
              .byteSize();
      sampled++;
    }
  }

  private StorageStatistics result() {
    Optional<DenseEstimate> dense =
        sampled == 0
            ? Optional.empty()
            : Optional.of(
                new DenseEstimate(
                    Math.round((double) denseBytes * chunks / sampled),
                    sampled,
                    chunks * tileBytes));
    long reachable = 1;
    for (long count : tiles.layout().grid().scaledExtent(extent)) {
      reachable = Math.multiplyExact(reachable, count);
    }
    List<SectionUsage> usage = new ArrayList<>();
    for (int section = 0; section < sections; section++) {
      String name = sections == 1 ? "values" : SECTIONS.get(section);
      usage.add(new SectionUsage(name, stored[section], unfiltered[section]));
    }
    return new StorageStatistics(
        extent.elements(),
        reachable,
        chunks,
        allocated,
        isSparse ? defined : extent.elements(),
        usage,
        0,
        skipping,
        new Fragmentation(0, 0, 0),
        forms,
        dense);
  }
}
