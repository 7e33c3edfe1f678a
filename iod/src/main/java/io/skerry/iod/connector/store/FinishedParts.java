package io.skerry.iod.connector.store;

import io.skerry.collective.step.LocalStatus;
import io.skerry.iod.engine.Container;
import io.skerry.iod.transaction.AbortExtent;
import io.skerry.iod.transaction.Refusal;
import io.skerry.iod.transaction.Ticket;
import io.skerry.iod.transaction.TransactionClient;
import io.skerry.iod.transaction.TransactionException;
import java.util.Collection;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * The transactions whose parts this rank has finished, and for which it has not waited yet. Guarded
 * by the gate of the file.
 */
final class FinishedParts {
  private final FileRanks ranks;
  private final TransactionClient requests;
  private final NavigableMap<Long, Ticket> finished = new TreeMap<>();

  FinishedParts(FileRanks ranks, TransactionClient requests) {
    this.ranks = ranks;
    this.requests = requests;
  }

  void add(Ticket ticket) {
    finished.put(ticket.number(), ticket);
  }

  Collection<Ticket> all() {
    return List.copyOf(finished.values());
  }

  void clear() {
    finished.clear();
  }

  /**
   * Checks that this rank has not finished a part for which it has not waited.
   *
   * @throws IllegalStateException if it has
   */
  void requireNone() {
    if (!finished.isEmpty()) {
      throw new IllegalStateException(
          "this rank has finished parts: expected=advance or abort actual=parts of "
              + finished.keySet());
    }
  }

  /**
   * Waits until all transactions are readable. Collective.
   *
   * @throws io.skerry.parallel.CollectiveException on all ranks if the ranks have finished parts of
   *     different transactions, or a transaction was aborted
   */
  void awaitAll() {
    LocalStatus status = new LocalStatus();
    if (!awaitCommon(status)) {
      status.attempt(() -> {
        throw new IllegalStateException(
            "the ranks have finished parts of different transactions: rank="
                + ranks.communicator().rank()
                + " parts that others lack or have not finished="
                + finished.keySet());
      });
    }
    ranks.requireGood(status);
  }

  /**
   * Waits until the first transactions, as many as all ranks have finished, are readable, and
   * removes them here. Does nothing if they differ between ranks. Collective.
   *
   * @param status receives the failure of the wait
   * @return whether all ranks have finished exactly the same transactions
   */
  boolean awaitCommon(LocalStatus status) {
    long[] sizes = ranks.exchange(new LocalStatus(), finished.size(), -finished.size());
    List<Ticket> common = finished.values().stream().limit(-sizes[1]).toList();
    long digest = 0;
    for (Ticket ticket : common) {
      digest = 31 * digest + ticket.number();
    }
    // The digest is negated below, so it must not be Long.MIN_VALUE.
    digest >>>= 2;
    long[] digests = ranks.exchange(new LocalStatus(), digest, -digest);
    boolean areEqual = digests[0] == -digests[1];
    if (areEqual && !common.isEmpty()) {
      status.attempt(() -> {
        requests.awaitReadable(common.getLast());
        common.forEach(ticket -> finished.remove(ticket.number()));
      });
    }
    return areEqual && sizes[0] == -sizes[1];
  }

  /**
   * Aborts a transaction with all higher ones, unless it is readable, and waits until its changes
   * are removed: until then, reads in a later transaction would return them. Local.
   *
   * @param container the container, in which all changes of the transaction have been stored
   */
  void abort(Ticket ticket, Container container) {
    try {
      requests.abort(ticket, AbortExtent.AND_HIGHER);
    } catch (TransactionException e) {
      if (e.refusal() == Refusal.STATE) {
        return;
      }
      // Another rank or a failure may have aborted it.
      if (e.refusal() != Refusal.ABORTED) {
        throw e;
      }
    }
    for (int number = 0; number < container.info().shards(); number++) {
      while (container.shard(number).transactions().contains(ticket.number())) {
        Thread.onSpinWait();
      }
    }
  }
}
