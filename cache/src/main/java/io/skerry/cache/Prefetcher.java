package io.skerry.cache;

import io.skerry.chunk.space.ChunkSlice;
import java.util.ArrayList;
import java.util.List;

/**
 * Loads the chunks that a walk through a dataset comes to next, in the background, while the caller
 * is busy with what it has. At most an eighth of the cache is taken ahead. A failure is not
 * reported here: the chunk is not there then, and who asks for it gets the failure.
 */
final class Prefetcher {
  private static final int MOST_OF_CACHE = 8;

  private final Limits limits;
  private final Evictor evictor;
  private final Loader loader;
  private final WorkerPool workers;
  private final Counters counters;

  Prefetcher(Limits limits, Evictor evictor, Loader loader, WorkerPool workers, Counters counters) {
    this.limits = limits;
    this.evictor = evictor;
    this.loader = loader;
    this.workers = workers;
    this.counters = counters;
  }

  /** Takes note of a read, and looks ahead if it belongs to a walk. */
  void read(DatasetChunks dataset, List<ChunkSlice> slices) {
    int depth = limits.options().prefetch();
    if (depth == 0) {
      return;
    }
    long generation = dataset.generation();
    dataset
        .scan()
        .moved(slices)
        .ifPresent(walk -> {
          List<Long> next = next(dataset, walk, depth);
          if (!next.isEmpty()) {
            workers.whenIdle(() -> load(dataset, next, generation));
          }
        });
  }

  /** The chunks of the next blocks that are not in memory, as many as fit. */
  private List<Long> next(DatasetChunks dataset, ScanWatch.Walk walk, int depth) {
    long most = limits.quiescent() / MOST_OF_CACHE / dataset.expectedBytes();
    List<Long> found = new ArrayList<>();
    for (int i = 1; i <= depth && found.size() < most; i++) {
      ScanWatch.Block block = walk.at().moved(walk.step(), i);
      if (!dataset.isInside(block.first()) || !dataset.isInside(block.last())) {
        break;
      }
      add(dataset, block, most, found);
    }
    return found;
  }

  private static void add(
      DatasetChunks dataset, ScanWatch.Block block, long most, List<Long> found) {
    long[] at = block.first().clone();
    while (found.size() < most) {
      long number = dataset.numbers().number(at);
      if (!dataset.isHeld(number)) {
        found.add(number);
      }
      int dimension = at.length - 1;
      while (dimension >= 0 && at[dimension] == block.last()[dimension]) {
        at[dimension] = block.first()[dimension];
        dimension--;
      }
      if (dimension < 0) {
        return;
      }
      at[dimension]++;
    }
  }

  private void load(DatasetChunks dataset, List<Long> numbers, long generation) {
    try (var _ = evictor.makeRoom(numbers.size() * dataset.expectedBytes())) {
      loader.loadAhead(
          dataset, numbers, workers.crew(List.of()), () -> dataset.generation() == generation);
      counters.prefetched.add(numbers.size());
    } catch (RuntimeException e) {
      // Nobody has asked for it yet; whoever does is told.
      return;
    }
  }
}
