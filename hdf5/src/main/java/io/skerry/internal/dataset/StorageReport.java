package io.skerry.internal.dataset;

import io.skerry.StorageInfo;
import io.skerry.StorageStatistics;
import io.skerry.collective.dataset.ChunkedDataset;
import io.skerry.filter.pipeline.FilterPipeline;
import io.skerry.format.block.Block;
import io.skerry.format.block.ByteSource;
import io.skerry.format.header.ObjectHeader;
import io.skerry.format.index.api.ChunkIndex;
import io.skerry.format.layout.ChunkedLayout;
import io.skerry.format.layout.CompactLayout;
import io.skerry.format.layout.ContiguousLayout;
import io.skerry.format.layout.LayoutMessage;
import io.skerry.format.layout.VirtualLayoutMessage;
import io.skerry.format.message.dataset.FilterPipelineMessage;
import io.skerry.format.message.dataset.SectionPipelineMessage;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Derives a description of the storage of a dataset from its object header and chunk index. */
final class StorageReport {
  private StorageReport() {}

  /**
   * Returns the number of stored chunks, and the number of bytes of the chunks and of their index.
   */
  static StorageInfo.Usage usage(ChunkIndex index, ByteSource source) {
    long[] sums = new long[2];
    index.forEachRecord(
        source,
        (scaled, record) -> {
          sums[0]++;
          sums[1] += record.sections().size();
        });
    long indexBytes = index.blocks(source).stream().mapToLong(Block::length).sum();
    return new StorageInfo.Usage(sums[0], sums[1], indexBytes);
  }

  /** Counts the elements and bytes of a dataset. The caller has exclusive access to the file. */
  static StorageStatistics statistics(NativeDataset dataset, HdfFile file) {
    dataset.requirePresence();
    return switch (dataset.kept()) {
      case Storage.Chunked(ChunkedDataset chunks) ->
          new NativeChunks(file, chunks).statistics(dataset.header());
      case Storage.Contiguous _, Storage.External _ ->
          StorageStatistics.flat(dataset.usage(), dataset.elements());
      case Storage.Compact(MemorySegment data) ->
          StorageStatistics.flat(new StorageInfo.Usage(0, data.byteSize(), 0), dataset.elements());
      case Storage.Virtual _ -> new VirtualStatistics(dataset).compute();
    };
  }

  /** Returns the layout and the filters. */
  static StorageInfo info(ObjectHeader header) {
    List<String> filters = new ArrayList<>();
    header
        .all(FilterPipelineMessage.class)
        .forEach(message -> filters.add(text(message.pipeline())));
    for (SectionPipelineMessage message : sections(header)) {
      for (int section = 0; section < 3; section++) {
        FilterPipeline pipeline = message.pipelines().of(section);
        if (!pipeline.isEmpty()) {
          filters.add(section + ":" + text(pipeline));
        }
      }
    }
    return switch (header.find(LayoutMessage.class).orElseThrow()) {
      case ChunkedLayout chunked ->
          new StorageInfo(
              chunked.form().isStructured() ? "sparse" : "chunked",
              java.util.Arrays.stream(chunked.chunk().extent()).boxed().toList(),
              chunked.index().getClass().getSimpleName(),
              filters);
      case ContiguousLayout _ -> new StorageInfo("contiguous", List.of(), "", filters);
      case CompactLayout _ -> new StorageInfo("compact", List.of(), "", filters);
      case VirtualLayoutMessage _ -> new StorageInfo("virtual", List.of(), "", filters);
    };
  }

  /**
   * Returns the section pipelines of a structured dataset; empty for other datasets, in which other
   * programs may use the type number of this message for a different message.
   */
  private static List<SectionPipelineMessage> sections(ObjectHeader header) {
    boolean structured =
        header.find(LayoutMessage.class).orElseThrow() instanceof ChunkedLayout chunked
            && chunked.form().isStructured();
    return structured ? header.all(SectionPipelineMessage.class) : List.of();
  }

  private static String text(FilterPipeline pipeline) {
    return pipeline.filters().stream().map(Object::toString).collect(Collectors.joining("+"));
  }
}
