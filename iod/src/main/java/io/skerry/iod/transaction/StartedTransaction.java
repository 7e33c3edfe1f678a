package io.skerry.iod.transaction;

import java.util.Set;
import java.util.TreeSet;

/** What the leader knows about a transaction that was started and is not readable. */
final class StartedTransaction {
  private final int clients;
  private final Set<Integer> started = new TreeSet<>();
  private final Set<Integer> finished = new TreeSet<>();
  private final Set<Integer> awaited = new TreeSet<>();
  private TransactionState state = TransactionState.STARTED;

  StartedTransaction(int clients) {
    this.clients = clients;
  }

  TransactionState state() {
    return state;
  }

  /** Counts the start of a client. */
  void start(int client, int declared, long number) {
    if (declared != clients || started.contains(client) || started.size() == clients) {
      throw new TransactionException(
          declared == clients ? Refusal.STATE : Refusal.INVALID,
          "start of a transaction: number="
              + number
              + " client="
              + client
              + " expected="
              + clients
              + " clients actual="
              + declared
              + " clients, started by "
              + started);
    }
    started.add(client);
  }

  /** Counts that a client has finished its part. */
  void finish(int client, long number) {
    if (!started.contains(client) || !finished.add(client)) {
      throw new TransactionException(
          Refusal.STATE,
          "finish of a transaction: number="
              + number
              + " client="
              + client
              + " expected=started and not finished by the client actual=started by "
              + started
              + ", finished by "
              + finished);
    }
    if (finished.size() == clients) {
      state = TransactionState.FINISHED;
    }
  }

  void abort() {
    state = TransactionState.ABORTED;
  }

  /** Waits for an answer of each process about the state. */
  void await(Set<Integer> processes) {
    awaited.clear();
    awaited.addAll(processes);
  }

  /** Notes that a process has executed the order that belongs to the state. */
  void answered(int process) {
    awaited.remove(process);
  }

  /** Returns whether all processes have prepared or removed the changes. */
  boolean isSettled() {
    return state != TransactionState.STARTED && awaited.isEmpty();
  }

  /**
   * Returns whether too few clients are left to finish the transaction.
   *
   * @param lost the clients that were lost
   * @param all the number of all clients
   */
  boolean isBeyond(Set<Integer> lost, int all) {
    long gone = lost.stream().filter(client -> !finished.contains(client)).count();
    boolean broken = lost.stream().anyMatch(c -> started.contains(c) && !finished.contains(c));
    return state == TransactionState.STARTED && (broken || clients > all - gone);
  }
}
