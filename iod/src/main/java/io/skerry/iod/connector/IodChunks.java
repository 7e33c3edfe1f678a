package io.skerry.iod.connector;

import io.skerry.ChunkInfo;
import io.skerry.ChunkTable;
import io.skerry.chunk.ChunkImage;
import io.skerry.chunk.SectionTable;
import io.skerry.iod.connector.tile.Tiles;
import io.skerry.selection.Shape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The stored chunks of a dataset of a container, in the order of their tiles. A chunk has no
 * address in a file; {@value #NO_ADDRESS} is reported instead. Thread-safe.
 *
 * @param dataset the dataset
 */
record IodChunks(IodDataset dataset) implements ChunkTable {
  /** The address that is reported for each chunk. */
  static final long NO_ADDRESS = -1;

  private <T> T look(Function<Tiles, T> read) {
    return dataset.owner().session().look(values -> read.apply(dataset.present(values)));
  }

  @Override
  public long count() {
    long[] count = {0};
    return look(tiles -> {
      tiles.forEach((_, _) -> count[0]++);
      return count[0];
    });
  }

  @Override
  public long storedBytes() {
    long[] bytes = {0};
    forEach(chunk -> bytes[0] += chunk.size());
    return bytes[0];
  }

  @Override
  public void forEach(Consumer<ChunkInfo> visitor) {
    boolean unused =
        look(tiles -> {
          tiles.forEach((scaled, _) -> info(tiles, scaled).ifPresent(visitor));
          return true;
        });
  }

  @Override
  public void forEachOffset(Consumer<List<Long>> visitor) {
    boolean unused =
        look(tiles -> {
          tiles.forEach((scaled, _) ->
              visitor.accept(Arrays.stream(tiles.layout().grid().origin(scaled)).boxed().toList()));
          return true;
        });
  }

  @Override
  public ChunkInfo get(long number) {
    List<ChunkInfo> found = new ArrayList<>(1);
    long[] count = {0};
    boolean unused =
        look(tiles -> {
          tiles.forEach((scaled, _) -> {
            if (count[0]++ == number) {
              info(tiles, scaled).ifPresent(found::add);
            }
          });
          return true;
        });
    if (found.isEmpty()) {
      throw new IndexOutOfBoundsException(
          "no such chunk: number="
              + number
              + " chunks="
              + count[0]
              + " dataset="
              + dataset.location().shown());
    }
    return found.getFirst();
  }

  @Override
  public Optional<ChunkInfo> at(long... element) {
    return look(tiles -> info(tiles, scaled(element)));
  }

  @Override
  public Optional<ChunkImage> image(long... element) {
    return look(tiles -> tiles.image(scaled(element)));
  }

  private static Optional<ChunkInfo> info(Tiles tiles, long[] scaled) {
    return tiles
        .image(scaled)
        .map(ChunkImage::sections)
        .map(SectionTable::checked)
        .map(table -> ChunkInfo.of(tiles.layout().grid().origin(scaled), NO_ADDRESS, table));
  }

  private long[] scaled(long[] element) {
    Shape shape = dataset.shape();
    if (element.length != shape.rank()) {
      throw new IllegalArgumentException(
          "coordinates of an element: expected=" + shape.rank() + " actual=" + element.length);
    }
    long[] scaled = new long[element.length];
    for (int d = 0; d < scaled.length; d++) {
      if (element[d] < 0 || element[d] >= shape.extent(d)) {
        throw new IllegalArgumentException(
            "outside the extent: dimension="
                + d
                + " extent="
                + shape.extent(d)
                + " actual="
                + element[d]);
      }
      scaled[d] = element[d] / dataset.state().layout().grid().size(d);
    }
    return scaled;
  }
}
