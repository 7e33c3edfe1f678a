package io.skerry.collective.step;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.collective.wire.Exchange;
import io.skerry.mpi.Communicator;
import io.skerry.parallel.Operation;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Runs, on behalf of the higher layers, steps that all ranks perform in the same way. A step is
 * local, except that it may open files that external links name. Before a step, the ranks compare
 * their arguments or exchange messages; after it, they agree on its outcome. All methods are
 * collective.
 *
 * @param ranks the ranks that perform the steps
 * @param outcome the outcome, which compares the arguments and agrees on failures
 * @param log the log, which undoes the changes that a step made before it failed on some rank
 * @param reads the broadcast that shares the metadata reads of rank 0 with the other ranks
 */
public record CollectiveSteps(
    Communicator ranks, CollectiveOutcome outcome, UndoLog log, MetadataBroadcast reads) {

  public <A, T> T take(
      Operation operation,
      String subject,
      String arguments,
      Callable<A> preparation,
      PreparedStep<A, T> step) {
    LocalStatus status = new LocalStatus();
    Optional<A> prepared = status.attempt(() -> Optional.of(preparation.call()), Optional.empty());
    outcome.enter(operation, subject, arguments, status);
    try {
      return agreed(operation, () -> step.take(prepared.orElseThrow()), status);
    } finally {
      outcome.leave();
    }
  }

  public <T> T take(
      Operation operation,
      String subject,
      Supplier<ByteWriter> mine,
      Function<List<ByteReader>, T> step) {
    LocalStatus status = new LocalStatus();
    ByteWriter message = status.attempt(mine::get, ByteWriter.create());
    outcome.enter(operation, subject, "(for all ranks)", status);
    try {
      List<ByteReader> messages = Exchange.announce(ranks, message, subject);
      return agreed(operation, () -> step.apply(messages), status);
    } finally {
      outcome.leave();
    }
  }

  /** Runs a step that either succeeds on all ranks or is undone on all ranks. */
  private <T> T agreed(Operation operation, Callable<T> step, LocalStatus status) {
    RunningStep running = new RunningStep(outcome);
    Callable<T> shared = operation.readsOtherFiles() ? step : () -> reads.taking(ranks, step);
    Callable<T> taken = () -> reads.during(running, shared);
    boolean done = false;
    log.begin();
    try {
      Optional<T> result = status.attempt(() -> Optional.of(taken.call()), Optional.empty());
      running.requireAgreed();
      outcome.agreeOnChanges(status, log.changes());
      done = true;
      return result.orElseThrow();
    } finally {
      if (done) {
        log.succeed();
      } else {
        log.fail();
      }
    }
  }
}
