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
 * Loads the chunks that a walk through a dataset comes to next, in the background, while the caller
 * is busy with what it has. At most an eighth of the cache is on its way ahead, and nothing is
 * stored to make room for it. A failure is not reported here: the chunk is not there then, and who
 * asks for it gets the failure.
 */
public final class Prefetcher {
  private static final int MOST_OF_CACHE = 8;

  private final Limits limits;
  private final Evictor evictor;
  private final Loader loader;
  private final WorkerPool workers;

  /** Bytes on their way. */
  private final AtomicLong coming = new AtomicLong();

  public Prefetcher(Limits limits, Evictor evictor, Loader loader, WorkerPool workers) {
    this.limits = limits;
    this.evictor = evictor;
    this.loader = loader;
    this.workers = workers;
  }

  /** Bytes on their way. */
  public long coming() {
    return coming.get();
  }

  /** Takes note of a read, and looks ahead if it belongs to a walk. */
  void read(DatasetChunks dataset, List<ChunkSlice> slices) {
    if (limits.options().prefetch() > 0) {
      long first = dataset.numbers().number(slices.getFirst().scaled());
      if (dataset.scan().moved(slices, first) && dataset.scan().tryToGoAhead()) {
        workers.whenIdle(() -> load(dataset));
      }
    }
  }

  /** Loads what is ahead of where the walk is by now. */
  private void load(DatasetChunks dataset) {
    dataset.scan().goesAhead();
    dataset.scan().walk().ifPresent(walk -> load(dataset, walk));
  }

  private void load(DatasetChunks dataset, ScanDetector.Walk walk) {
    // Before the extent, which changes first.
    long generation = dataset.generation();
    long each = dataset.sizes().most();
    long allowed = limits.quiescent() / MOST_OF_CACHE;
    List<Long> next = next(dataset, walk, (allowed - coming.get()) / each);
    long bytes = next.size() * each;
    // What the walk has come past is not loaded again.
    BooleanSupplier stillWanted =
        () ->
            dataset.generation() == generation && !dataset.hasEnded() && dataset.scan().isAt(walk);
    try {
      if (bytes > 0 && coming.addAndGet(bytes) <= allowed) {
        load(dataset, next, bytes, stillWanted);
      }
    } catch (RuntimeException e) {
      // Nobody has asked for it yet; whoever does is told.
      return;
    } finally {
      evictor.trimAfterwards();
      coming.addAndGet(-bytes);
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

  /** The chunks of the next blocks that are not in memory, as many as are allowed. */
  private List<Long> next(DatasetChunks dataset, ScanDetector.Walk walk, long most) {
    int depth = limits.options().prefetch();
    List<Long> found = new ArrayList<>();
    for (int i = 1; i <= depth && found.size() < most; i++) {
      Optional<ScanDetector.Block> block = walk.ahead(i).within(dataset.chunkExtent());
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
