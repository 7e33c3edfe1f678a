package io.skerry.collective.core;

import io.skerry.cache.RequestInterruptedException;
import io.skerry.cache.core.ChunkCache;
import io.skerry.cache.scheduling.RequestOrder;
import io.skerry.cache.table.DatasetChunks;
import io.skerry.collective.dataset.ChunkedDataset;
import io.skerry.collective.step.LocalStatus;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Orders independent chunk accesses with respect to collective operations on one rank, for a file
 * that several ranks have open. Only one thread runs collective operations. The cache allocates no
 * space in such a file.
 */
record MultiRankQuiescence(ChunkCache cache) implements Quiescence {
  @Override
  public <T> T holdingStores(Supplier<T> body) {
    return body.get();
  }

  @Override
  public ChunkCache.Quiesced quiesce(RequestOrder.Kind kind) {
    return () -> {};
  }

  @Override
  public ChunkCache.Quiesced quiesce(ChunkedDataset dataset) {
    return () -> {};
  }

  /**
   * Waits until the independent reads and writes of the dataset have ended, and blocks new ones
   * while the step runs. An interrupt does not end the wait: if only one rank omitted the step, the
   * ranks would have different states of the file. The interrupt status is kept.
   */
  @Override
  public void withoutReads(ChunkedDataset dataset, Runnable step) {
    boolean interrupted = Thread.interrupted();
    Optional<RequestOrder.Ticket> ticket = Optional.empty();
    try {
      while (ticket.isEmpty()) {
        try {
          ticket = Optional.of(dataset.chunks().requests().enterAll(RequestOrder.Kind.WRITE));
        } catch (RequestInterruptedException e) {
          interrupted |= Thread.interrupted();
        }
      }
      step.run();
    } finally {
      ticket.ifPresent(RequestOrder.Ticket::close);
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  @Override
  public Optional<ChunkCache.Quiesced> quiesceReads(LocalStatus status) {
    return status.attempt(
        () -> Optional.of(cache.quiet(RequestOrder.Kind.WRITE)), Optional.empty());
  }

  @Override
  public Optional<ChunkCache.Quiesced> quiesceReads(
      Set<ChunkedDataset> datasets, LocalStatus status) {
    return status.attempt(
        () -> {
          List<DatasetChunks> chunks = datasets.stream().map(ChunkedDataset::chunks).toList();
          // Requests to other datasets continue, and may take the store lock to make room. Holding
          // this lock here would make them wait for the other ranks, which Quiescence forbids.
          return Optional.of(cache.block(chunks, RequestOrder.Kind.WRITE));
        },
        Optional.empty());
  }
}
