package io.skerry.collective.core;

import io.skerry.cache.RequestInterruptedException;
import io.skerry.cache.core.ChunkCache;
import io.skerry.cache.scheduling.RequestOrder;
import io.skerry.collective.dataset.ChunkedDataset;
import io.skerry.collective.step.LocalStatus;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Keeps the threads of a rank from what an operation needs for itself: space of the file, or all
 * chunks. Local.
 *
 * <p>What is held here while an operation of several ranks waits for the others must not be what an
 * independent read waits for that has entered the file: if the ranks part, the file is closed, and
 * that waits for the read.
 */
public record Quiescence(FileContext session) {

  /**
   * Keeps the cache from taking space while something is done that may. With several ranks it takes
   * none at any time.
   */
  public <T> T holdingSpace(Supplier<T> body) {
    if (!isAlone()) {
      return body.get();
    }
    try (var _ = session.cache().holdStores()) {
      return body.get();
    }
  }

  /**
   * Lets the requests of a rank that is alone end, and keeps new ones away. With several ranks
   * there are none but independent reads. Whatever changes what these see has them end by itself,
   * as late as it can: the flush, a write, a replacement of chunks by {@link #quietReads}, a
   * deletion and a change of extent by {@link #withoutReads}.
   */
  public ChunkCache.Quiesced quiet(RequestOrder.Kind kind) {
    return isAlone() ? session.cache().quiet(kind) : () -> {};
  }

  /** The same for one dataset, whose extent changes. */
  public ChunkCache.Quiesced quiet(ChunkedDataset dataset) {
    if (!isAlone()) {
      return () -> {};
    }
    RequestOrder.Ticket ticket = dataset.chunks().requests().enterAll(RequestOrder.Kind.WRITE);
    return ticket::close;
  }

  /**
   * Takes a step in which a dataset changes or goes when the independent reads of it have ended,
   * and keeps new ones away meanwhile. A rank that is alone has none, and has put all requests in
   * order already. For a step that waits for no other rank.
   *
   * <p>An interrupt does not end the waiting; it stays set. A step that one rank alone does not
   * take would leave the ranks with different files.
   */
  public void withoutReads(ChunkedDataset dataset, Runnable step) {
    if (isAlone()) {
      step.run();
      return;
    }
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

  /**
   * Keeps independent reads of this rank away. A single rank has none, and has ordered all requests
   * already. Local; the caller agrees on the status.
   */
  public Optional<ChunkCache.Quiesced> quietReads(LocalStatus status) {
    return isAlone()
        ? Optional.empty()
        : status.attempt(
            () -> Optional.of(session.cache().quiet(RequestOrder.Kind.WRITE)), Optional.empty());
  }

  private boolean isAlone() {
    return session.ranks().size() == 1;
  }
}
