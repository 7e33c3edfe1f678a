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
 * Steps that all ranks take in the same way, for the layers above: each is local, and all agree
 * before and after it. Collective.
 *
 * @param log undoes what a step did that failed on some rank
 * @param reads lets the first rank read for all
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
    ByteWriter letter = status.attempt(mine::get, ByteWriter.create());
    outcome.enter(operation, subject, "(for all ranks)", status);
    try {
      List<ByteReader> letters = Exchange.announce(ranks, letter, subject);
      return agreed(operation, () -> step.apply(letters), status);
    } finally {
      outcome.leave();
    }
  }

  /** The step itself: all ranks have taken it, or none has. */
  private <T> T agreed(Operation operation, Callable<T> step, LocalStatus status) {
    Callable<T> taken = operation.readsOtherFiles() ? step : () -> reads.taking(ranks, step);
    boolean done = false;
    log.begin();
    try {
      Optional<T> result = status.attempt(() -> Optional.of(taken.call()), Optional.empty());
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
