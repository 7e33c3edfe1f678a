package io.skerry.cache.request;

import io.skerry.cache.api.WorkerPool;
import io.skerry.cache.eviction.Evictor;
import io.skerry.cache.eviction.Limits;
import io.skerry.cache.eviction.Reservations.Room;
import io.skerry.cache.table.DatasetChunks;
import io.skerry.cache.table.ScanDetector;
import io.skerry.chunk.dataspace.grid.ChunkSlice;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;

/**
 * Loads the next chunks of a scan through a dataset in the background, while the caller processes
 * earlier chunks. The estimated size of the prefetches in progress is limited to an eighth of the
 * quiescent limit. A prefetch that cannot get memory without storing chunks is skipped. A chunk
 * that cannot be loaded may end its prefetch. The failure is not reported, because a later request
 * for the chunk loads it again.
 */
public final class Prefetcher {
  private static final int MOST_OF_CACHE = 8;

  private final Limits limits;
  private final Evictor evictor;
  private final Loader loader;
  private final WorkerPool workers;

  /** Estimated size of the prefetches in progress, in bytes. */
  private final AtomicLong coming = new AtomicLong();

  public Prefetcher(Limits limits, Evictor evictor, Loader loader, WorkerPool workers) {
    this.limits = limits;
    this.evictor = evictor;
    this.loader = loader;
    this.workers = workers;
  }

  /** Returns the estimated size of the prefetches in progress, in bytes. */
  public long coming() {
    return coming.get();
  }

  /**
   * Records a read, and schedules a prefetch if the read continues a scan and no other prefetch of
   * the dataset is waiting to start. Does nothing if the options turn prefetching off.
   */
  void read(DatasetChunks dataset, List<ChunkSlice> slices) {
    if (limits.options().prefetch() > 0) {
      long first = dataset.numbers().number(slices.getFirst().scaled());
      if (dataset.scan().moved(slices, first)
          && dataset.scan().tryStartPrefetch()
          && !workers.whenIdle(() -> load(dataset))) {
        dataset.scan().prefetchStarts();
      }
    }
  }

  /** Loads the chunks after the current position of the scan. */
  private void load(DatasetChunks dataset) {
    dataset.scan().prefetchStarts();
    dataset.scan().current().ifPresent(scan -> load(dataset, scan));
  }

  private void load(DatasetChunks dataset, ScanDetector.Scan scan) {
    // The generation is read before the extent, because a reshape changes the extent first.
    long generation = dataset.generation();
    long each = dataset.sizes().most();
    long allowed = limits.quiescent() / MOST_OF_CACHE;
    List<Long> next = next(dataset, scan, (allowed - coming.get()) / each);
    long bytes = next.size() * each;
    // Chunks that the scan has passed are not loaded.
    BooleanSupplier stillWanted =
        () ->
            dataset.generation() == generation && !dataset.hasEnded() && dataset.scan().isAt(scan);
    try {
      if (bytes > 0 && coming.addAndGet(bytes) <= allowed) {
        load(dataset, next, bytes, stillWanted);
      }
    } catch (RuntimeException e) {
      // No request needs these chunks yet; a later request for them reports the failure.
      return;
    } finally {
      coming.addAndGet(-bytes);
      evictor.trimAfterwards();
    }
  }

  private void load(
      DatasetChunks dataset, List<Long> next, long bytes, BooleanSupplier stillWanted) {
    Optional<Room> room = evictor.findRoom(bytes);
    room.ifPresent(found -> {
      try (found) {
        loader.loadAhead(dataset, next, found, workers.crew(List.of()), stillWanted);
      }
    });
  }

  /**
   * Returns the chunk numbers, in the next blocks of the scan, of the chunks that are neither in
   * memory nor being loaded.
   *
   * @param most maximum length of the result
   */
  private List<Long> next(DatasetChunks dataset, ScanDetector.Scan scan, long most) {
    int depth = limits.options().prefetch();
    List<Long> found = new ArrayList<>();
    for (int i = 1; i <= depth && found.size() < most; i++) {
      Optional<ScanDetector.Block> block = scan.blockAfter(i).within(dataset.chunkExtent());
      if (block.isEmpty()) {
        break;
      }
      add(dataset, block.get(), most, found);
    }
    return found;
  }

  private static void add(
      DatasetChunks dataset, ScanDetector.Block block, long most, List<Long> found) {
    long[] at = block.first().clone();
    int dimension = 0;
    while (dimension >= 0 && found.size() < most) {
      long number = dataset.numbers().number(at);
      if (dataset.isAbsent(number)) {
        found.add(number);
      }
      dimension = at.length - 1;
      while (dimension >= 0 && at[dimension] == block.last()[dimension]) {
        at[dimension] = block.first()[dimension];
        dimension--;
      }
      if (dimension >= 0) {
        at[dimension]++;
      }
    }
  }
}
