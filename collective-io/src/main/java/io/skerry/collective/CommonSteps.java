package io.skerry.collective;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.mpi.Communicator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Steps that all ranks take in the same way, as {@link CollectiveFile#together} has them: each is
 * local, and all agree before and after it. Collective.
 */
record CommonSteps(Communicator ranks, CollectiveOutcome outcome) {

  <A, T> T take(
      Operation operation,
      String subject,
      String arguments,
      Callable<A> preparation,
      CollectiveFile.Step<A, T> step) {
    LocalStatus status = new LocalStatus();
    Optional<A> prepared = status.attempt(() -> Optional.of(preparation.call()), Optional.empty());
    outcome.enter(operation, subject, status);
    try {
      outcome.agreeSame(arguments, status);
      // An exception of a step is the same on all ranks or the ranks differ in memory only; either
      // way all have to know before anyone goes on.
      Optional<T> result =
          status.attempt(() -> Optional.of(step.take(prepared.orElseThrow())), Optional.empty());
      outcome.agree(status);
      return result.orElseThrow();
    } finally {
      outcome.leave();
    }
  }

  <T> T take(
      Operation operation,
      String subject,
      Supplier<ByteWriter> mine,
      Function<List<ByteReader>, T> step) {
    LocalStatus status = new LocalStatus();
    ByteWriter letter = status.attempt(mine::get, ByteWriter.create());
    outcome.enter(operation, subject, status);
    try {
      List<ByteReader> letters = Exchange.announce(ranks, letter, subject);
      Optional<T> result = status.attempt(() -> Optional.of(step.apply(letters)), Optional.empty());
      outcome.agree(status);
      return result.orElseThrow();
    } finally {
      outcome.leave();
    }
  }
}
