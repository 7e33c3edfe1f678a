package io.skerry.internal.dataset;

import io.skerry.StorageInfo;
import io.skerry.StorageStatistics;
import io.skerry.StorageStatistics.DenseEstimate;
import io.skerry.StorageStatistics.Fragmentation;
import io.skerry.StorageStatistics.SectionUsage;
import io.skerry.chunk.SectionTable;
import io.skerry.chunk.format.ChunkFormat;
import io.skerry.collective.dataset.ChunkedDataset;
import io.skerry.exception.FormatException;
import io.skerry.filter.pipeline.SectionPipelines;
import io.skerry.format.block.ByteSource;
import io.skerry.format.index.api.ChunkRecord;
import io.skerry.selection.Selection;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Computes statistics of the stored chunks of a dataset. The first pass reads the index; for a
 * sparse dataset, a second pass reads the locations of the defined elements in the chunks, and
 * encodes up to {@link #SAMPLES} chunks densely for an estimate. Local.
 */
final class StatisticsWalk {
  /** The maximum number of chunks that are encoded densely for an estimate. */
  private static final int SAMPLES = 16;

  private static final List<String> SECTIONS = List.of("locations", "values", "heap");

  private final ChunkedDataset dataset;
  private final ByteSource source;
  private final ChunkContents contents;
  private final boolean sparse;
  private final long chunkBytes;
  private final long[] stored = new long[SECTIONS.size()];
  private final long[] unfiltered = new long[SECTIONS.size()];
  private final Map<Selection.Form, Long> forms = new EnumMap<>(Selection.Form.class);
  private long[] starts = new long[64];
  private long[] sizes = new long[64];
  private int chunks;
  private long allocated;
  private long defined;
  private long skipping;
  private int seen;
  private int sampled;
  private long denseBytes;

  private StatisticsWalk(ChunkedDataset dataset, SectionPipelines pipelines, ByteSource source) {
    this.dataset = dataset;
    this.source = source;
    this.contents = new ChunkContents(dataset, pipelines, source);
    this.sparse = dataset.format().definedness() == ChunkFormat.Definedness.WRITTEN;
    this.chunkBytes = dataset.format().elements() * dataset.format().datatype().size();
  }

  static StorageStatistics of(
      ChunkedDataset dataset, SectionPipelines pipelines, ByteSource source) {
    StatisticsWalk walk = new StatisticsWalk(dataset, pipelines, source);
    dataset.index().forEachRecord(source, walk::count);
    if (walk.sparse) {
      dataset.index().forEachRecord(source, walk::open);
    }
    return walk.result();
  }

  private void count(long[] scaled, ChunkRecord record) {
    SectionTable table = record.sections().checked();
    if (chunks == starts.length) {
      starts = Arrays.copyOf(starts, 2 * chunks);
      sizes = Arrays.copyOf(sizes, 2 * chunks);
    }
    starts[chunks] = record.address();
    sizes[chunks] = table.size();
    chunks++;
    allocated += dataset.validElements(scaled);
    boolean skipped = false;
    for (int section = 0; section < table.sections(); section++) {
      stored[section] += table.length(section);
      unfiltered[section] += unfiltered(table, section);
      skipped |= table.filterMask(section) != 0;
    }
    skipping += skipped ? 1 : 0;
  }

  private long unfiltered(SectionTable table, int section) {
    if (table.sections() == 1) {
      return chunkBytes;
    }
    return table.unfilteredSizes().length == 0
        ? table.length(section)
        : table.unfilteredSizes()[section];
  }

  private void open(long[] scaled, ChunkRecord record) {
    try {
      contents
          .locations(scaled, record)
          .ifPresent(found -> {
            defined += found.defined().count();
            forms.merge(found.form(), 1L, Long::sum);
          });
      // Samples are taken at regular intervals, so that they are distributed over the dataset.
      if (sampled < SAMPLES && (long) seen * Math.min(SAMPLES, chunks) / chunks >= sampled) {
        OptionalLong bytes = contents.denseBytes(scaled, record);
        if (bytes.isPresent()) {
          denseBytes += bytes.getAsLong();
          sampled++;
        }
      }
      seen++;
    } catch (FormatException e) {
      throw e.inObject(dataset.name() + " chunk " + Arrays.toString(scaled));
    }
  }

  private StorageStatistics result() {
    long elements = dataset.shape().elements();
    StorageInfo.Usage usage = StorageReport.usage(dataset.index(), source);
    Optional<DenseEstimate> dense =
        sampled == 0
            ? Optional.empty()
            : Optional.of(
                new DenseEstimate(
                    Math.round((double) denseBytes * chunks / sampled),
                    sampled,
                    chunks * chunkBytes));
    long reachable = 1;
    for (long count : dataset.grid().scaledExtent(dataset.shape())) {
      reachable = Math.multiplyExact(reachable, count);
    }
    return new StorageStatistics(
        elements,
        reachable,
        chunks,
        allocated,
        sparse ? defined : elements,
        sections(),
        usage.indexBytes(),
        skipping,
        fragmentation(),
        forms,
        dense);
  }

  private List<SectionUsage> sections() {
    int count = dataset.index().layout().form().sections();
    List<SectionUsage> sections = new ArrayList<>();
    for (int section = 0; section < count; section++) {
      String name = count == 1 ? "values" : SECTIONS.get(section);
      sections.add(new SectionUsage(name, stored[section], unfiltered[section]));
    }
    return sections;
  }

  private Fragmentation fragmentation() {
    long breaks = 0;
    for (int i = 1; i < chunks; i++) {
      breaks += starts[i] == starts[i - 1] + sizes[i - 1] ? 0 : 1;
    }
    // Unless the file is damaged, chunks do not overlap, so sorting by end gives the same
    // order as sorting by start.
    long[] begins = Arrays.copyOf(starts, chunks);
    long[] ends = new long[chunks];
    Arrays.setAll(ends, i -> starts[i] + sizes[i]);
    Arrays.sort(begins);
    Arrays.sort(ends);
    long holes = 0;
    long holeBytes = 0;
    for (int i = 1; i < chunks; i++) {
      long gap = begins[i] - ends[i - 1];
      holes += gap > 0 ? 1 : 0;
      holeBytes += Math.max(0, gap);
    }
    return new Fragmentation(breaks, holes, holeBytes);
  }
}
