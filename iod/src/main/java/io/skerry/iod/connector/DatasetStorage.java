package io.skerry.iod.connector;

import io.skerry.DatasetSpec;
import io.skerry.StorageInfo;
import io.skerry.filter.pipeline.FilterPipeline;
import io.skerry.filter.pipeline.SectionPipelines;
import io.skerry.iod.connector.tile.TileLayout;
import io.skerry.iod.connector.tile.Tiles;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** Describes the storage of a dataset. Local, thread-safe. */
final class DatasetStorage {
  private DatasetStorage() {}

  /** Returns the layout and the filters. Does not fail. */
  static StorageInfo info(DatasetSpec spec, TileLayout layout) {
    List<Long> tile = Arrays.stream(layout.grid().sizes()).boxed().toList();
    return switch (spec.resolvedStorage()) {
      case COMPACT -> new StorageInfo("compact", List.of(), "", List.of());
      case DENSE -> new StorageInfo("chunked", tile, "tiles", dense(spec.filters()));
      case SPARSE, STRUCTURED -> new StorageInfo("sparse", tile, "tiles", sections(spec.filters()));
      default -> new StorageInfo("contiguous", List.of(), "", List.of());
    };
  }

  private static List<String> dense(SectionPipelines filters) {
    return filters.of(0).isEmpty() ? List.of() : List.of(text(filters.of(0)));
  }

  private static List<String> sections(SectionPipelines filters) {
    List<String> texts = new ArrayList<>();
    for (int section = 0; section < SectionPipelines.SECTIONS; section++) {
      FilterPipeline pipeline = filters.of(section);
      if (!pipeline.isEmpty()) {
        texts.add(section + ":" + text(pipeline));
      }
    }
    return texts;
  }

  private static String text(FilterPipeline pipeline) {
    return pipeline.filters().stream().map(Object::toString).collect(Collectors.joining("+"));
  }

  /**
   * Returns the number and the total size of the stored tiles, without the BLOBs of cells.
   *
   * @throws io.skerry.exception.FormatException if a tile number is damaged
   */
  static StorageInfo.Usage usage(Tiles tiles) {
    long[] sums = new long[2];
    tiles.forEach((_, size) -> {
      sums[0]++;
      sums[1] += size;
    });
    return switch (tiles.layout().metadata().spec().resolvedStorage()) {
      case DENSE, SPARSE, STRUCTURED -> new StorageInfo.Usage(sums[0], sums[1], 0);
      case COMPACT -> new StorageInfo.Usage(0, 0, 0);
      default -> new StorageInfo.Usage(0, sums[1], 0);
    };
  }
}
