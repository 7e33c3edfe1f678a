package io.skerry.jobs.stat;

import io.skerry.Dataset;
import io.skerry.H5File;
import io.skerry.cache.CacheOptions;
import io.skerry.cache.CacheStatistics;
import io.skerry.chunk.dataspace.grid.ChunkGrid;
import io.skerry.jobs.report.Json;
import io.skerry.selection.Shape;
import java.util.List;

/**
 * The statistics of the chunk cache for reading an entire dataset in one order, starting with an
 * empty cache.
 *
 * @param order the order of the reads
 * @param requests the number of reads
 * @param chunks the number of chunks of the dataset, stored or not
 * @param statistics the statistics of the cache
 * @param most the value in bytes up to which the quiescent limit of the cache (see {@link
 *     CacheOptions}) may grow
 */
record CacheStat(
    ReadingOrder order, long requests, long chunks, CacheStatistics statistics, long most) {

  /**
   * Reads a chunked dataset and returns the statistics of the chunk cache.
   *
   * @param options the options of the cache, which remain in effect for the file
   */
  static CacheStat of(Dataset dataset, ReadingOrder order, CacheOptions options) {
    H5File file = dataset.file();
    file.resizeCache(options.withFixedSize(0));
    file.resizeCache(options);
    CacheStatistics before = file.cacheStatistics();
    long[] requests = new long[1];
    List<Long> chunk = dataset.storage().chunk();
    order.forEach(
        dataset.shape(),
        chunk,
        dataset.datatype().size(),
        part -> {
          var unused = dataset.readElements(part);
          requests[0]++;
        });
    CacheStatistics statistics = file.cacheStatistics().since(before);
    return new CacheStat(
        order, requests[0], chunks(dataset.shape(), chunk), statistics, options.most());
  }

  private static long chunks(Shape shape, List<Long> chunk) {
    ChunkGrid grid = ChunkGrid.of(chunk.stream().mapToLong(Long::longValue).toArray());
    return Shape.of(grid.scaledExtent(shape)).elements();
  }

  /** Returns the number of chunk reads, through the cache or bypassing it. */
  long reads() {
    return statistics.loads() + statistics.passed();
  }

  /** Returns the average number of reads per chunk. */
  double readsPerChunk() {
    return DatasetStat.share(reads(), chunks);
  }

  /**
   * Returns whether the average number of reads per chunk is below 1.1. Another order or a larger
   * cache would then save few reads.
   */
  boolean fits() {
    return readsPerChunk() < 1.1;
  }

  Json toJson() {
    return Json.object()
        .with("order", order.toString())
        .with("requests", requests)
        .with("chunks", chunks)
        .with("loads", statistics.loads())
        .with("loadedBytes", statistics.loadedBytes())
        .with("passed", statistics.passed())
        .with("readsPerChunk", readsPerChunk())
        .with("hits", statistics.hits())
        .with("misses", statistics.misses())
        .with("hitRatio", statistics.hitRatio())
        .with("evictions", statistics.evictions())
        .with("limit", statistics.quiescent())
        .with("mostLimit", most)
        .with("fits", Json.truth(fits()));
  }
}
