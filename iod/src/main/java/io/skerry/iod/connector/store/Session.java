package io.skerry.iod.connector.store;

import io.skerry.collective.step.FileGate;
import io.skerry.collective.step.LocalStatus;
import io.skerry.collective.step.OwnerThread;
import io.skerry.iod.engine.EngineException;
import io.skerry.iod.object.ValueChanges;
import io.skerry.iod.object.Values;
import io.skerry.iod.object.model.TileDecoder;
import io.skerry.mpi.Communicator;
import io.skerry.parallel.CollectiveException;
import io.skerry.parallel.CommitException;
import io.skerry.parallel.FileAccess;
import io.skerry.parallel.Operation;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * An open file of one rank: runs its operations one at a time, turns their failures into those that
 * the interfaces of connectors specify, and flushes. If the file is open for reading only, reads
 * run concurrently. Thread-safe.
 */
public final class Session {
  private static final Communicator.RankSet RANKS = Communicator.RankSet.of(1);

  private final Path path;
  private final FileAccess access;
  private final ContainerStore store;
  private final TileDecoder decoder;
  private final FileGate gate;

  /** The failure that made the open transaction unusable; guarded by the gate. */
  private Optional<Broken> broken = Optional.empty();

  private final AtomicLong linkChanges = new AtomicLong();

  /** A failure after which the file can only be closed. */
  private sealed interface Broken {
    RuntimeException cause();

    /** A change failed and could not be undone. */
    record Change(RuntimeException cause) implements Broken {}

    /** A flush failed; its caller knows that changes may be lost. */
    record Commit(RuntimeException cause) implements Broken {}
  }

  /**
   * Creates the session of an open container.
   *
   * @param path the path of the file
   * @param access the access mode
   * @param store the container, which {@link #close} closes
   * @param decoder decodes tiles with cells
   */
  public Session(Path path, FileAccess access, ContainerStore store, TileDecoder decoder) {
    this.path = path;
    this.access = access;
    this.store = store;
    this.decoder = decoder;
    this.gate = new FileGate(new OwnerThread(Optional.empty(), 1, path.toString()));
  }

  /** Returns the path of the file. Local, thread-safe; does not fail. */
  public Path path() {
    return path;
  }

  /** Returns the ranks that throw the exceptions of this file. Local, thread-safe; cannot fail. */
  public Communicator.RankSet ranks() {
    return RANKS;
  }

  /** Returns whether the file is open for reading only. Local, thread-safe; does not fail. */
  public boolean isReadOnly() {
    return access == FileAccess.READ;
  }

  /**
   * Returns the size of the container. Local, thread-safe.
   *
   * @throws IllegalStateException if the file is closed
   */
  public long bytes() {
    return within(store::bytes);
  }

  /**
   * Returns a number that changes whenever links of the file may have changed. Local, thread-safe;
   * does not fail.
   */
  public long linkChanges() {
    return linkChanges.get();
  }

  /**
   * Runs a read on this rank only. Local, thread-safe.
   *
   * @param read receives the current values
   * @throws IllegalStateException if the file is closed
   */
  public <T> T look(Function<Values, T> read) {
    return within(() -> read.apply(store.values()));
  }

  private <T> T within(Supplier<T> read) {
    if (!isReadOnly()) {
      return gate.exclusively(read);
    }
    gate.enter();
    try {
      return read.get();
    } finally {
      gate.leave();
    }
  }

  /**
   * Runs a read that the interface calls collective.
   *
   * @param operation the operation
   * @param subject the path of the object, for messages
   * @param read receives the current values
   * @throws CollectiveException if the read fails
   * @throws IllegalStateException if the file is closed, or an earlier change or flush has failed
   *     for good
   */
  public <T> T read(Operation operation, String subject, Function<Values, T> read) {
    return within(() -> {
      requireSound();
      return attempt(operation, subject, () -> read.apply(store.values()));
    });
  }

  /**
   * Changes the file. If the change fails, it is undone.
   *
   * @param operation the operation
   * @param subject the path of the object, for messages
   * @param change receives the changes of the open transaction
   * @throws CollectiveException if the change fails
   * @throws IllegalStateException if the file is closed or open for reading only, or an earlier
   *     change or flush has failed for good
   */
  public <T> T change(Operation operation, String subject, Function<Step, T> change) {
    requireWritable(operation, subject);
    return gate.exclusively(() -> {
      requireSound();
      if (changesLinks(operation)) {
        linkChanges.incrementAndGet();
      }
      return attempt(operation, subject, () -> taken(change));
    });
  }

  /**
   * Changes values on this rank only. The change is not undone if it fails, so it must check
   * everything before it stores the first value. Local, thread-safe.
   *
   * @param operation the operation
   * @param subject the path of the object, for messages
   * @param change receives the changes of the open transaction
   * @throws io.skerry.iod.engine.EngineException if the storage fails; from then on the file can
   *     only be closed
   * @throws IllegalStateException if the file is closed or open for reading only, or an earlier
   *     change or flush has failed for good
   */
  public <T> T changeHere(Operation operation, String subject, Function<ValueChanges, T> change) {
    requireWritable(operation, subject);
    return gate.exclusively(() -> {
      requireSound();
      try {
        return change.apply(store.changes());
      } catch (EngineException e) {
        broken = Optional.of(new Broken.Change(e));
        throw e;
      }
    });
  }

  private static boolean changesLinks(Operation operation) {
    return switch (operation) {
      case CREATE_OBJECT, LINK, UNLINK, MOVE -> true;
      default -> false;
    };
  }

  private <T> T taken(Function<Step, T> change) {
    StepChanges changes = new StepChanges(store.changes(), StepChanges.LIMIT);
    try {
      return change.apply(new Step(changes, store.changes(), store.ids(), decoder));
    } catch (RuntimeException | Error e) {
      // A part of the change must not reach the next flush, for whatever reason it has failed.
      undo(changes, e);
      throw e;
    }
  }

  private void undo(StepChanges changes, Throwable cause) {
    try {
      if (!changes.undo()) {
        broken =
            Optional.of(
                new Broken.Change(
                    new IllegalStateException(
                        "a failed change was too large to be undone", cause)));
      }
    } catch (RuntimeException | Error e) {
      // Whatever the reason, the open transaction contains a part of the change.
      broken =
          Optional.of(
              new Broken.Change(
                  new IllegalStateException("a failed change could not be undone", e)));
      cause.addSuppressed(e);
    }
  }

  private <T> T attempt(Operation operation, String subject, Callable<T> step) {
    LocalStatus status = new LocalStatus();
    Optional<T> result = status.attempt(() -> Optional.of(step.call()), Optional.empty());
    if (status.failure().isPresent()) {
      throw LocalStatus.thrown(failed(operation, subject, status.failure().get()));
    }
    return result.orElseThrow();
  }

  private CollectiveException failed(
      Operation operation, String subject, RuntimeException failure) {
    String reason = Optional.ofNullable(failure.getMessage()).orElse(failure.toString());
    String where = "file=" + path + (subject.isEmpty() ? "" : " object=" + subject);
    return new CollectiveException(
        operation, where, List.of(0), RANKS, reason, Optional.of(failure));
  }

  /**
   * Checks that the file may be changed. Local, thread-safe.
   *
   * @throws IllegalStateException if it is open for reading only
   */
  public void requireWritable(Operation operation, String subject) {
    if (isReadOnly()) {
      throw new IllegalStateException(
          "the file is open for reading only: operation="
              + operation
              + " file="
              + path
              + (subject.isEmpty() ? "" : " object=" + subject));
    }
  }

  private void requireSound() {
    if (broken.isPresent()) {
      throw new IllegalStateException(
          "an earlier change or flush has failed, and the file can only be closed: file=" + path,
          broken.get().cause());
    }
  }

  private CommitException uncommitted(String what, RuntimeException cause) {
    return new CommitException(
        what + ": file=" + path + " reason=" + cause.getMessage(), cause, RANKS);
  }

  /**
   * Makes all changes durable in one transaction.
   *
   * @throws CommitException if that fails; from then on the file can only be closed
   * @throws IllegalStateException if the file is closed or open for reading only, or an earlier
   *     change or flush has failed for good
   */
  public void flush() {
    requireWritable(Operation.FLUSH, "");
    gate.exclusively(() -> {
      requireSound();
      commit();
    });
  }

  private void commit() {
    try {
      store.flush();
    } catch (RuntimeException e) {
      broken = Optional.of(new Broken.Commit(e));
      throw uncommitted("the transaction of a flush failed", e);
    } catch (Error e) {
      // A later flush must not store the rest of the transaction.
      broken = Optional.of(new Broken.Commit(new IllegalStateException("a flush failed", e)));
      throw e;
    }
  }

  /**
   * Flushes if the file is open for writing, and closes it. A second call does nothing.
   *
   * @throws CommitException if the flush fails, or an earlier change has failed for good; the file
   *     is closed
   */
  public void close() {
    gate.close(
        () -> {},
        () -> {
          try (ContainerStore _ = store) {
            if (broken.isPresent() && broken.get() instanceof Broken.Change(var cause)) {
              throw uncommitted("the changes since the last flush are lost", cause);
            }
            if (!isReadOnly() && broken.isEmpty()) {
              commit();
            }
          }
        });
  }

  /** Closes the file without the changes since the last flush. A second call does nothing. */
  public void discard() {
    gate.close(() -> {}, store::close);
  }
}
