package io.skerry.collective;

import io.skerry.cache.scheduling.RequestOrder;
import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.collective.core.FileContext;
import io.skerry.collective.share.SharedRead;
import io.skerry.collective.share.SharedStep;
import io.skerry.collective.share.UnstoredChangesException;
import io.skerry.collective.step.CollectiveSteps;
import io.skerry.collective.step.FileGate;
import io.skerry.collective.step.LocalStatus;
import io.skerry.collective.step.PreparedStep;
import io.skerry.collective.step.UndoLog;
import io.skerry.format.alloc.SpaceAllocator;
import io.skerry.mpi.Reduction;
import io.skerry.parallel.CollectiveException;
import io.skerry.parallel.Operation;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Runs steps that all ranks perform in the same way: local changes to metadata that are kept if
 * they succeed on all ranks, and otherwise undone on all ranks.
 */
public final class FileSteps {
  private final FileGate gate;
  private final OpenState state;
  private final CollectiveSteps steps;
  private final FileContext context;
  private final UnusedDatasets unused;
  private final FileFlush flush;

  /** The running read in which ranks exchange messages; empty if there is none. */
  private Optional<SharedRead> running = Optional.empty();

  FileSteps(
      FileGate gate,
      OpenState state,
      CollectiveSteps steps,
      FileContext context,
      UnusedDatasets unused,
      FileFlush flush) {
    this.gate = gate;
    this.state = state;
    this.steps = steps;
    this.context = context;
    this.unused = unused;
    this.flush = flush;
  }

  /** Returns the log that can undo the changes made in the current step. Local. */
  UndoLog log() {
    return steps.log();
  }

  /**
   * Runs a step that is local and has the same result on all ranks. Collective.
   *
   * @param arguments text that must be equal on all ranks
   * @throws CollectiveException on all ranks if the operations, the subjects or the arguments
   *     differ, or if a rank failed
   * @throws IllegalStateException if the file is closed, if its changes were discarded, if a commit
   *     of the file failed, if the operation changes the file and the file is open for reading
   *     only, or if the calling thread may not begin collective operations
   */
  public <T> T together(Operation operation, String subject, String arguments, Callable<T> step) {
    return together(operation, subject, arguments, () -> true, _ -> step.call());
  }

  /**
   * Runs a step that is local and has the same result on all ranks, after each rank has prepared
   * it. Collective.
   *
   * @param arguments text that must be equal on all ranks
   * @param preparation the preparation, which runs first; if it fails on one rank, the step fails
   *     on all ranks before it begins
   * @param step the step, which receives the result of the preparation
   * @throws CollectiveException on all ranks if the operations, the subjects or the arguments
   *     differ, or if a rank failed
   * @throws IllegalStateException if the file is closed, if its changes were discarded, if a commit
   *     of the file failed, if the operation changes the file and the file is open for reading
   *     only, or if the calling thread may not begin collective operations
   */
  public <A, T> T together(
      Operation operation,
      String subject,
      String arguments,
      Callable<A> preparation,
      PreparedStep<A, T> step) {
    return inside(
        operation,
        subject,
        () -> {
          T result = steps.take(operation, subject, arguments, preparation, step);
          if (operation.opensObjects()) {
            // Unused datasets are released after the step, since its result keeps the newly opened
            // dataset in use.
            unused.release();
          }
          return result;
        });
  }

  /**
   * Runs a step for which every rank sends a short message to all ranks. The step is local and has
   * the same result on all ranks. Collective.
   *
   * @param mine a supplier of the message of this rank; if it fails on one rank, the step fails on
   *     all ranks
   * @param step the step, which receives the messages of all ranks, in rank order
   * @throws CollectiveException on all ranks if the operations or the subjects differ, or if a rank
   *     failed
   * @throws IllegalStateException if the file is closed, if its changes were discarded, if a commit
   *     of the file failed, if the operation changes the file and the file is open for reading
   *     only, or if the calling thread may not begin collective operations
   */
  public <T> T together(
      Operation operation,
      String subject,
      Supplier<ByteWriter> mine,
      Function<List<ByteReader>, T> step) {
    return inside(operation, subject, () -> steps.take(operation, subject, mine, step));
  }

  /**
   * Runs a step of a read in which the ranks work concurrently, each on its own part, and may
   * exchange messages. If a rank needs unflushed changes of the file, all ranks flush the file and
   * run the step again. Collective.
   *
   * @param preparation the preparation, which runs first; if it fails on one rank, the step fails
   *     on all ranks before it begins
   * @param step the step, which receives the result of the preparation
   * @throws CollectiveException on all ranks if the operations or the subjects differ, or if a rank
   *     failed
   * @throws IllegalStateException if the file is closed, if its changes were discarded, if a commit
   *     of the file failed, or if the calling thread may not begin collective operations
   */
  public <A, T> T shared(
      Operation operation, String subject, Callable<A> preparation, SharedStep<A, T> step) {
    return gate.collectively(
        operation,
        subject,
        () -> {
          state.checkAllowed(operation);
          LocalStatus status = new LocalStatus();
          Optional<A> prepared =
              status.attempt(() -> Optional.of(preparation.call()), Optional.empty());
          context.outcome().enter(operation, subject, status);
          context.meter().begin(operation, subject);
          try {
            return shared(prepared.orElseThrow(), step, status);
          } finally {
            context.outcome().leave();
          }
        });
  }

  private <A, T> T shared(A prepared, SharedStep<A, T> step, LocalStatus status) {
    try {
      return attempt(prepared, step, new SharedRead(context, status, SharedRead.Changes.POSSIBLE));
    } catch (UnstoredChangesException e) {
      flush.store(status);
      return attempt(prepared, step, new SharedRead(context, status, SharedRead.Changes.STORED));
    }
  }

  private <A, T> T attempt(A prepared, SharedStep<A, T> step, SharedRead read) {
    running = Optional.of(read);
    try {
      Optional<T> result = taken(prepared, step, read);
      read.agree();
      return result.orElseThrow();
    } finally {
      running = Optional.empty();
    }
  }

  private static <A, T> Optional<T> taken(A prepared, SharedStep<A, T> step, SharedRead read) {
    try {
      return step.take(prepared, read);
    } catch (RuntimeException e) {
      throw read.ended(e);
    }
  }

  /**
   * Checks that the running read, if any, may read this file as a source of the file's own virtual
   * datasets. Local.
   *
   * @throws UnstoredChangesException if the ranks may have unflushed changes; the read must not
   *     catch this exception
   */
  public void requireStored() {
    running.ifPresent(SharedRead::requireStored);
  }

  /**
   * Computes numbers on all ranks, and returns the minimum of each number over the ranks. Outside a
   * step, in a local operation, returns the numbers of this rank. Collective within a step,
   * otherwise local.
   *
   * @param point the name of this point in the step
   * @param mine a supplier of the numbers of this rank
   * @throws CollectiveException on all ranks if one of them failed
   */
  public long[] least(String point, Supplier<long[]> mine) {
    if (!steps.reads().isTaking()) {
      return mine.get();
    }
    steps.reads().meet(point);
    long[] own = mine.get();
    // A rank that has failed does not reach this point, and the others must not wait for its
    // numbers.
    steps.reads().meet("after " + point);
    return steps.ranks().allReduce(own, Reduction.MIN);
  }

  private <T> T inside(Operation operation, String subject, Supplier<T> step) {
    return gate.collectively(
        operation,
        subject,
        () ->
            holdingSpace(
                operation,
                () -> {
                  state.checkAllowed(operation);
                  return step.get();
                }));
  }

  /**
   * Runs a step, and prevents the cache from allocating space meanwhile if the step itself may
   * allocate space. A step that unlinks objects may delete datasets; with a single rank, this
   * method therefore first waits until the requests of other threads have ended, and blocks new
   * ones during the step.
   */
  private <T> T holdingSpace(Operation operation, Supplier<T> body) {
    if (!operation.changesFile()) {
      return body.get();
    }
    if (operation == Operation.UNLINK) {
      try (var _ = context.quiescence().quiesce(RequestOrder.Kind.WRITE)) {
        return body.get();
      }
    }
    return context.quiescence().holdingStores(body);
  }

  /**
   * Runs a write that may allocate space, and prevents the cache from allocating space meanwhile.
   * Collective.
   */
  void write(String subject, Runnable body) {
    gate.collectively(
        Operation.WRITE,
        subject,
        () -> {
          state.checkWritable();
          holdingSpace(body);
        });
  }

  /**
   * Runs an action that may allocate space, and prevents the cache from allocating space meanwhile.
   * Local.
   */
  void holdingSpace(Runnable body) {
    boolean unusedResult =
        context
            .quiescence()
            .holdingStores(() -> {
              body.run();
              return true;
            });
  }

  /**
   * Returns the allocator for new objects. All ranks must make the same allocations in the same
   * order. If a step fails, its allocations and releases are undone. Local, within a step.
   */
  SpaceAllocator space() {
    SpaceAllocator space = context.space().allocator();
    log()
        .noteOnce(
            space,
            () -> {
              SpaceAllocator before = space.copy();
              return () -> space.resetTo(before);
            });
    return space;
  }
}
