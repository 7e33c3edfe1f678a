package io.skerry.iod.connector.store;

import io.skerry.collective.step.FileGate;
import io.skerry.collective.step.LocalStatus;
import io.skerry.iod.engine.EngineException;
import io.skerry.iod.object.ValueChanges;
import io.skerry.iod.object.Values;
import io.skerry.iod.object.model.TileDecoder;
import io.skerry.iod.shipper.ShipperException;
import io.skerry.mpi.Communicator;
import io.skerry.parallel.CollectiveException;
import io.skerry.parallel.CommitException;
import io.skerry.parallel.FileAccess;
import io.skerry.parallel.Operation;
import java.nio.file.Path;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * An open file: runs its operations one at a time, turns the failure of any rank into the
 * exceptions that the connector interfaces specify, and flushes. If one rank has the file open, any
 * thread may call all methods, and reads of a file that is open for reading only run concurrently.
 * If several ranks have it open, only the thread that opened it may call methods that access the
 * container.
 */
public final class Session {
  private final Path path;
  private final FileAccess access;
  private final ContainerStore store;
  private final FileRanks ranks;
  private final FileGate gate;
  private final Soundness soundness;
  private final Steps steps;
  private final Reads reads;
  private final Commits commits;
  private final FileTransactions transactions;
  private final LinkChanges linkChanges = new LinkChanges();

  /**
   * Creates the session of an open container.
   *
   * @param path the path of the file
   * @param access the access mode
   * @param store the container, which {@link #close} closes
   * @param ranks the ranks that have the file open, which {@link #close} closes
   * @param decoder decodes tiles with cells
   */
  public Session(
      Path path, FileAccess access, ContainerStore store, FileRanks ranks, TileDecoder decoder) {
    this.path = path;
    this.access = access;
    this.store = store;
    this.ranks = ranks;
    this.gate = new FileGate(ranks.outcome().owner());
    this.soundness = new Soundness(path.toString());
    this.steps = new Steps(store, ranks, decoder, soundness);
    this.reads = new Reads(access, store, ranks, gate, soundness);
    this.commits = new Commits(access, store, ranks, soundness);
    this.transactions =
        new FileTransactions(
            path, access, store, ranks, gate, soundness, commits, linkChanges::undone);
    ranks.outcome().onMismatch(this::release);
    ranks.outcome().onRankLeft(this::releaseAlone);
  }

  /** Closes the file on all ranks, after they have begun different operations. */
  private void release() {
    gate.closeWithin();
    new LocalStatus().attemptAll(store::close, ranks::close);
  }

  /** Closes the file on this rank, since another rank has left. */
  private void releaseAlone() {
    gate.closeWithin();
    store.abandon(new IllegalStateException("the ranks took different paths: file=" + path));
  }

  /** Returns the path of the file. Local, thread-safe; does not fail. */
  public Path path() {
    return path;
  }

  /** Returns the ranks that throw the exceptions of this file. Local, thread-safe; cannot fail. */
  public Communicator.RankSet ranks() {
    return ranks.communicator().rankSet();
  }

  /** Returns whether several ranks have the file open. Local, thread-safe; does not fail. */
  public boolean isShared() {
    return ranks.areSeveral();
  }

  /**
   * Returns whether only the thread that opened the file has access to the values, because ranks
   * serve them. Local, thread-safe; does not fail.
   */
  public boolean isConfined() {
    return store.isConfined();
  }

  /** Returns whether the file is open for reading only. Local, thread-safe; does not fail. */
  public boolean isReadOnly() {
    return access == FileAccess.READ;
  }

  /** Returns the transactions and versions. Local, thread-safe; does not fail. */
  public FileTransactions transactions() {
    return transactions;
  }

  /**
   * Returns the size of the container. Local, thread-safe.
   *
   * @throws IllegalStateException if the file is closed
   */
  public long bytes() {
    return reads.within(store::bytes);
  }

  /**
   * Checks that the file is open. Local, thread-safe.
   *
   * @throws IllegalStateException if the file is closed
   */
  public void requireOpen() {
    boolean unused = reads.within(() -> true);
  }

  /** Returns {@link ContainerStore#version}. Local, thread-safe; does not fail. */
  public long version() {
    return store.version();
  }

  /** Returns {@link LinkChanges#all}. Local, thread-safe; does not fail. */
  public long changesOfLinks() {
    return linkChanges.all();
  }

  /** Returns the counters of the changes of links. Local, thread-safe; does not fail. */
  public LinkChanges linkChanges() {
    return linkChanges;
  }

  /**
   * Runs a read on this rank only. Local. If several ranks have the file open, the I/O ranks answer
   * when they are inside a method of Skerry that waits.
   *
   * @param read receives the current values
   * @throws IllegalStateException if the file is closed, or if several ranks have it open and
   *     another thread opened it
   * @throws io.skerry.iod.shipper.ShipperException if an I/O rank has failed, or does not answer
   *     within the patience
   */
  public <T> T look(Function<Values, T> read) {
    return reads.look(read);
  }

  /**
   * Runs a read on all ranks. Collective.
   *
   * @param operation the operation
   * @param subject the path of the object, equal on all ranks
   * @param read receives the current values
   * @throws CollectiveException on all ranks if the read fails on any rank, or the ranks begin
   *     different operations
   * @throws IllegalStateException if the file is closed, or an earlier change or flush has failed
   *     for good
   */
  public <T> T read(Operation operation, String subject, Function<Values, T> read) {
    return reads.read(operation, subject, read);
  }

  /**
   * Runs a read on all ranks; a failure on one rank does not affect the others. Collective.
   *
   * @throws CollectiveException on all ranks if they begin different operations
   * @throws RuntimeException on this rank if the read fails
   */
  public <T> T lookTogether(Operation operation, String subject, Function<Values, T> read) {
    return reads.lookTogether(operation, subject, read);
  }

  /**
   * Runs collective operations without any other operation of this rank between them. Collective.
   */
  public void collectively(Operation operation, String subject, Runnable operations) {
    gate.collectively(operation, subject, operations);
  }

  /**
   * Returns the exception of a collective operation that this rank cannot begin: a {@link
   * CollectiveException} with the failure as its cause, unless the file is closed. Collective: the
   * other ranks begin the operation, which fails.
   */
  public RuntimeException refused(Operation operation, String subject, RuntimeException failure) {
    return reads.refused(operation, subject, failure);
  }

  /**
   * Returns the largest of the numbers that the ranks pass; see {@link
   * io.skerry.spi.StoredFile#largest}. Collective.
   */
  public long largest(long number) {
    return reads.largest(number);
  }

  /**
   * Changes values on this rank only. The change is not undone if it fails, so it must check
   * everything before it stores the first value; if it fails after that, for any reason, the file
   * can only be closed. Local; thread-safe if one rank has the file open.
   *
   * @param operation the operation
   * @param subject the path of the object, for messages
   * @param change receives the changes of the open transaction
   * @throws io.skerry.iod.engine.EngineException if the storage fails; from then on the file can
   *     only be closed
   * @throws io.skerry.iod.shipper.ShipperException if an I/O rank has failed; from then on the file
   *     can only be closed
   * @throws IllegalStateException if the file is closed or open for reading only, an earlier change
   *     or flush has failed for good, or several ranks have the file open and another thread opened
   *     it
   */
  public <T> T changeHere(Operation operation, String subject, Function<ValueChanges, T> change) {
    requireWritable(operation, subject);
    ranks.requireOwner(operation + " " + subject);
    return gate.exclusively(() -> {
      soundness.requireHere();
      WatchedChanges changes = new WatchedChanges(store.changes());
      try {
        return change.apply(changes);
      } catch (RuntimeException | Error e) {
        if (changes.hasBegun() || e instanceof EngineException || e instanceof ShipperException) {
          if (ranks.areSeveral()) {
            soundness.changeFailedHere(e);
          } else {
            soundness.changeFailed("a change could not be stored", e);
          }
        }
        throw e;
      }
    });
  }

  /**
   * Changes the file by a step on each rank. If it fails on one rank, it is undone on all, except
   * for the values that were stored with {@link Step#transaction}. When the method returns, reads
   * of all ranks see the changes of all ranks. Collective.
   *
   * @param operation the operation
   * @param subject the path of the object, equal on all ranks
   * @param arguments a text that must be equal on all ranks
   * @param change changes the part of this rank
   * @throws CollectiveException on all ranks if the change fails on any rank, the ranks begin
   *     different operations, or their arguments differ
   * @throws IllegalStateException if the file is closed or open for reading only, or an earlier
   *     change or flush has failed for good
   */
  public <T> T change(
      Operation operation, String subject, String arguments, Function<Step, T> change) {
    requireWritable(operation, subject);
    return gate.collectively(
        operation,
        subject,
        () -> {
          soundness.require();
          linkChanges.begin(operation);
          return ranks.areSeveral()
              ? steps.together(operation, subject, arguments, change)
              : ranks.alone(operation, subject, () -> steps.alone(change));
        });
  }

  /**
   * Changes metadata by a step on rank 0. If it fails, it is undone. Collective.
   *
   * @param operation the operation
   * @param subject the path of the object, equal on all ranks
   * @param arguments a text that must be equal on all ranks
   * @param change changes the file, on rank 0
   * @throws CollectiveException in the cases of {@link #change}
   * @throws IllegalStateException in the cases of {@link #change}
   */
  public void lead(Operation operation, String subject, String arguments, Consumer<Step> change) {
    boolean unused =
        lead(
            operation,
            subject,
            arguments,
            step -> {
              change.accept(step);
              return 0L;
            },
            (_, _) -> true);
  }

  /**
   * Changes metadata by a step on rank 0, and returns a result on each rank. If a rank fails, the
   * change is undone. Collective.
   *
   * @param operation the operation
   * @param subject the path of the object, equal on all ranks
   * @param arguments a text that must be equal on all ranks
   * @param change changes the file on rank 0, and returns a number, such as an identifier
   * @param result returns the result on each rank, from the changed values and that number
   * @throws CollectiveException in the cases of {@link #change}
   * @throws IllegalStateException in the cases of {@link #change}
   */
  public <T> T lead(
      Operation operation,
      String subject,
      String arguments,
      Function<Step, Long> change,
      BiFunction<Values, Long, T> result) {
    return change(
        operation,
        subject,
        arguments,
        step ->
            result.apply(
                step.changes(), ranks.areSeveral() ? steps.led(step, change) : change.apply(step)));
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

  /**
   * Makes all changes durable in one transaction; if the program delimits its transactions, makes
   * the readable ones durable. Collective.
   *
   * @throws CommitException on all ranks if the flush fails, or a change that one of several ranks
   *     made alone has failed; from then on the file can only be closed
   * @throws CollectiveException on all ranks if they begin different operations
   * @throws IllegalStateException if the file is closed or open for reading only, or an earlier
   *     change or flush has failed for good
   */
  public void flush() {
    requireWritable(Operation.FLUSH, "");
    gate.collectively(
        Operation.FLUSH,
        "",
        () -> {
          soundness.require();
          begin(Operation.FLUSH);
          try {
            commits.commit();
          } finally {
            ranks.leave();
          }
        });
  }

  private void begin(Operation operation) {
    ranks.enter(operation, "", "", new LocalStatus());
  }

  /**
   * Flushes if the file is open for writing, and closes it. A second call does nothing. Collective.
   *
   * @throws CommitException on all ranks if the flush fails, or an earlier change has failed for
   *     good; the file is closed
   * @throws CollectiveException on all ranks if they begin different operations, or a rank cannot
   *     close the container
   */
  public void close() {
    gate.close(
        () -> begin(Operation.CLOSE),
        () -> {
          LocalStatus status = new LocalStatus();
          status.attempt(commits::commitLast);
          commits.end(status);
        });
  }

  /**
   * Closes the file, and discards the changes since the last flush. A second call does nothing.
   * Collective.
   *
   * @throws CollectiveException on all ranks if they begin different operations, or a rank cannot
   *     close the container
   */
  public void discard() {
    gate.close(() -> begin(Operation.DISCARD), () -> commits.end(new LocalStatus()));
  }
}
