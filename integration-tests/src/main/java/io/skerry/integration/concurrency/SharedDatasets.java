package io.skerry.integration.concurrency;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/** The existing datasets, shared by all members of {@link ConcurrentThreads}. */
final class SharedDatasets {
  private static final int MOST = 10;

  private final List<SharedDataset> datasets = new ArrayList<>();
  private int begun;

  synchronized List<SharedDataset> all() {
    return List.copyOf(datasets);
  }

  /**
   * Reserves a place for another dataset; returns false if the limit is reached. After a
   * reservation, the caller must {@link #add} the dataset or {@link #giveUp give up} the place.
   */
  synchronized boolean mayBegin() {
    if (begun >= MOST) {
      return false;
    }
    begun++;
    return true;
  }

  synchronized void giveUp() {
    begun--;
  }

  synchronized void add(SharedDataset dataset) {
    datasets.add(dataset);
  }

  synchronized void remove(SharedDataset dataset) {
    datasets.remove(dataset);
    begun--;
  }

  synchronized Optional<SharedDataset> any(Random random) {
    return datasets.isEmpty()
        ? Optional.empty()
        : Optional.of(datasets.get(random.nextInt(datasets.size())));
  }
}
