package io.skerry.collective.core;

import io.skerry.cache.core.ChunkCache;
import io.skerry.cache.scheduling.RequestOrder;
import io.skerry.collective.dataset.ChunkedDataset;
import io.skerry.collective.step.LocalStatus;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Orders the requests to a file that a single rank has open. Any number of threads read and write
 * through the cache; no thread reads independently of it.
 */
record SingleRankQuiescence(ChunkCache cache) implements Quiescence {
  @Override
  public <T> T holdingStores(Supplier<T> body) {
    try (var _ = cache.holdStores()) {
      return body.get();
    }
  }

  @Override
  public ChunkCache.Quiesced quiesce(RequestOrder.Kind kind) {
    return cache.quiet(kind);
  }

  @Override
  public ChunkCache.Quiesced quiesce(ChunkedDataset dataset) {
    RequestOrder.Ticket ticket = dataset.chunks().requests().enterAll(RequestOrder.Kind.WRITE);
    return ticket::close;
  }

  /** Runs the step directly, since the caller has already ordered all requests. */
  @Override
  public void withoutReads(ChunkedDataset dataset, Runnable step) {
    step.run();
  }

  @Override
  public Optional<ChunkCache.Quiesced> quiesceReads(LocalStatus status) {
    return Optional.empty();
  }

  @Override
  public Optional<ChunkCache.Quiesced> quiesceReads(
      Set<ChunkedDataset> datasets, LocalStatus status) {
    return Optional.empty();
  }
}
