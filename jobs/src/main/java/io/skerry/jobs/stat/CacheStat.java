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
 * What the chunk cache did while all of a dataset was read in some order, from an empty cache on.
 *
 * @param requests in which it was read
 * @param chunks of the dataset, stored or not
 * @param told what was done
 * @param most bytes to which the cache may grow
 */
record CacheStat(ReadingOrder order, long requests, long chunks, CacheStatistics told, long most) {

  /**
   * Reads the dataset, which is chunked.
   *
   * @param options of the cache, which the file keeps
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
    CacheStatistics told = file.cacheStatistics().since(before);
    return new CacheStat(order, requests[0], chunks(dataset.shape(), chunk), told, options.most());
  }

  private static long chunks(Shape shape, List<Long> chunk) {
    ChunkGrid grid = ChunkGrid.of(chunk.stream().mapToLong(Long::longValue).toArray());
    return Shape.of(grid.scaledExtent(shape)).elements();
  }

  /** How often chunks were read, by way of the cache or past it. */
  long reads() {
    return told.loads() + told.passed();
  }

  /** How often each chunk was read, on average. */
  double readsPerChunk() {
    return DatasetStat.share(reads(), chunks);
  }

  /** Whether next to nothing is to be gained. */
  boolean fits() {
    return readsPerChunk() < 1.1;
  }

  Json toJson() {
    return Json.object()
        .with("order", order.toString())
        .with("requests", requests)
        .with("chunks", chunks)
        .with("loads", told.loads())
        .with("loadedBytes", told.loadedBytes())
        .with("passed", told.passed())
        .with("readsPerChunk", readsPerChunk())
        .with("hits", told.hits())
        .with("misses", told.misses())
        .with("hitRatio", told.hitRatio())
        .with("evictions", told.evictions())
        .with("limit", told.quiescent())
        .with("mostLimit", most)
        .with("fits", Json.truth(fits()));
  }
}
