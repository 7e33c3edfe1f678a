package io.skerry.iod.shipper;

import io.skerry.exception.FormatException;
import io.skerry.iod.engine.ContainerException;
import io.skerry.iod.engine.EngineException;
import io.skerry.iod.engine.PurgedException;
import io.skerry.iod.shipper.wire.Failure;
import io.skerry.iod.transaction.Refusal;
import io.skerry.iod.transaction.TransactionException;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.Reduction;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Converts exceptions to descriptions that can be sent to another rank, and back. Methods are local
 * and thread-safe unless they state otherwise.
 */
final class Failures {
  private static final int NO_SHARD = -1;
  private static final long NO_RANK = Long.MAX_VALUE;

  private Failures() {}

  /** Returns the description of an exception that a rank has thrown. */
  static Failure of(int rank, Throwable e) {
    String message = String.valueOf(e.getMessage());
    return switch (e) {
      case EngineException engine ->
          new Failure(
              Failure.Kind.ENGINE,
              engine.fault().ordinal(),
              rank,
              engine.shard().orElse(NO_SHARD),
              0,
              0,
              List.of(engine.container(), engine.code(), engine.reported()));
      case ContainerException container ->
          new Failure(
              Failure.Kind.CONTAINER,
              container.reason().ordinal(),
              rank,
              NO_SHARD,
              0,
              0,
              List.of(container.path(), container.expected(), container.actual()));
      case PurgedException purged ->
          new Failure(
              Failure.Kind.PURGED,
              0,
              rank,
              purged.shard(),
              purged.transaction(),
              purged.oldest(),
              List.of(purged.container()));
      case TransactionException refused ->
          plain(Failure.Kind.TRANSACTION, refused.refusal().ordinal(), rank, message);
      case FormatException format ->
          new Failure(
              Failure.Kind.FORMAT,
              0,
              rank,
              NO_SHARD,
              0,
              0,
              List.of(
                  format.what(),
                  format.expected(),
                  format.actual(),
                  format.object().orElse(""),
                  format.file().orElse("")));
      case IllegalArgumentException _ -> plain(Failure.Kind.ARGUMENT, 0, rank, message);
      case IllegalStateException _ -> plain(Failure.Kind.STATE, 0, rank, message);
      case ShipperException shipper ->
          plain(Failure.Kind.OTHER, 0, shipper.rank(), shipper.reason());
      default -> plain(Failure.Kind.OTHER, 0, rank, e.toString());
    };
  }

  private static Failure plain(Failure.Kind kind, int code, int rank, String message) {
    return new Failure(kind, code, rank, NO_SHARD, 0, 0, List.of(message));
  }

  /**
   * Runs a step of this rank, and throws the failure of the lowest rank that has one, on all ranks.
   * Collective.
   */
  static void agree(Communicator communicator, Runnable step) {
    Optional<Failure> failure = Optional.empty();
    try {
      step.run();
    } catch (RuntimeException | Error e) {
      // Throwing here would leave the other ranks waiting for this one.
      failure = Optional.of(of(communicator.rank(), e));
    }
    agree(communicator, failure);
  }

  /**
   * Throws the failure of the lowest rank that has one, on all ranks. Collective.
   *
   * @param failure the failure of this rank
   */
  static void agree(Communicator communicator, Optional<Failure> failure) {
    long own = failure.isPresent() ? communicator.rank() : NO_RANK;
    long lowest = communicator.allReduce(own, Reduction.MIN);
    if (lowest != NO_RANK) {
      byte[] mine = failure.map(Failure::toBytes).orElse(new byte[0]);
      throw exception(Failure.of(communicator.broadcast(mine, (int) lowest)));
    }
  }

  /**
   * Recreates the exception that a description represents. Its cause is a {@link ShipperException}
   * that names the rank.
   */
  static RuntimeException exception(Failure failure) {
    List<String> texts = failure.texts();
    String first = texts.getFirst();
    RuntimeException e =
        switch (failure.kind()) {
          case ARGUMENT -> new IllegalArgumentException(first);
          case STATE -> new IllegalStateException(first);
          case ENGINE -> engine(failure);
          case CONTAINER -> container(failure);
          case PURGED -> purged(failure);
          case TRANSACTION -> new TransactionException(code(Refusal.values(), failure), first);
          case FORMAT -> format(texts);
          case OTHER -> rank(failure);
        };
    boolean isOpen = e instanceof IllegalArgumentException || e instanceof IllegalStateException;
    if (isOpen || e instanceof TransactionException || e instanceof ContainerException) {
      return (RuntimeException) e.initCause(rank(failure));
    }
    return e;
  }

  private static EngineException engine(Failure failure) {
    OptionalInt shard =
        failure.shard() == NO_SHARD ? OptionalInt.empty() : OptionalInt.of(failure.shard());
    List<String> texts = failure.texts();
    return new EngineException(
        code(EngineException.Fault.values(), failure),
        texts.getFirst(),
        shard,
        texts.get(1),
        texts.get(2),
        rank(failure));
  }

  private static FormatException format(List<String> texts) {
    FormatException e = new FormatException(texts.getFirst(), texts.get(1), texts.get(2));
    e = texts.get(3).isEmpty() ? e : e.inObject(texts.get(3));
    return texts.get(4).isEmpty() ? e : e.inFile(texts.get(4));
  }

  /**
   * Returns an exception that names the failed rank and the cause, regardless of the type of the
   * original.
   */
  static ShipperException rank(Failure failure) {
    String reason =
        failure.kind() == Failure.Kind.OTHER
            ? failure.texts().getFirst()
            : text(failure.kind(), failure);
    return new ShipperException(failure.rank(), reason);
  }

  private static String text(Failure.Kind kind, Failure failure) {
    String message =
        switch (kind) {
          case CONTAINER -> container(failure).getMessage();
          case PURGED -> purged(failure).getMessage();
          case FORMAT -> format(failure.texts()).getMessage();
          default ->
              String.join(" ", failure.texts())
                  + (failure.shard() == NO_SHARD ? "" : " shard=" + failure.shard());
        };
    return kind + " " + message;
  }

  private static ContainerException container(Failure failure) {
    List<String> texts = failure.texts();
    return new ContainerException(
        code(ContainerException.Reason.values(), failure),
        texts.getFirst(),
        texts.get(1),
        texts.get(2));
  }

  private static PurgedException purged(Failure failure) {
    return new PurgedException(
        failure.texts().getFirst(), failure.shard(), failure.first(), failure.second());
  }

  private static <E extends Enum<E>> E code(E[] values, Failure failure) {
    if (failure.code() >= values.length) {
      throw new FormatException(
          "message: code of a failure", "0 to " + (values.length - 1), failure.code());
    }
    return values[failure.code()];
  }
}
