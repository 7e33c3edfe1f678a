package io.skerry.collective.step;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.chunk.text.PrintableText;
import io.skerry.collective.wire.FailureGather;
import io.skerry.collective.wire.FailureGather.Answer;
import io.skerry.mpi.CallMismatchException;
import io.skerry.mpi.CallOrder;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.Reduction;
import io.skerry.mpi.internal.concurrent.Watchdog;
import io.skerry.parallel.CollectiveException;
import io.skerry.parallel.Operation;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;

/**
 * Turns the failure of any rank in a collective operation into a {@link CollectiveException} on all
 * ranks.
 *
 * <p>An operation begins with one all-reduce, which compares the file, operation, object and
 * arguments, and combines the status of the ranks. The {@link CallOrder} of the communicator with
 * which the file was opened performs the all-reduce, and all files of that communicator share this
 * call order. Therefore, even if one rank closes a file, or writes to another file, while the
 * others write, all ranks take part in the same all-reduce and throw an exception. Every later
 * agreement in an operation is another all-reduce of the call order, which also detects a rank that
 * has left the operation. Only after a failure, a second, longer exchange determines which ranks
 * have failed and why the first of them failed.
 */
public final class CollectiveOutcome {
  /** The maximum number of 64-bit words that a caller may add to an agreement. */
  public static final int WORDS = 6;

  private final CallOrder order;
  private final Communicator ranks;
  private final FailureGather failures;
  private final Watchdog watchdog;
  private final String file;
  private final OwnerThread owner;
  private Operation operation = Operation.USER;
  private String subject = "";

  /** The subject in printable form, since names in files may contain control characters. */
  private String shown = "";

  private long sequence;
  private Runnable abandon = () -> {};
  private Runnable abandonAlone = () -> {};
  private boolean abandoned;

  /**
   * Creates the outcome for operations on one file. With several ranks, only the calling thread may
   * begin these operations.
   *
   * @param ranks the ranks that agree
   * @param file the path of the file, which every failure message contains
   */
  public CollectiveOutcome(Communicator ranks, Watchdog watchdog, String file) {
    this(ranks.callOrder(), ranks, watchdog, file);
  }

  /**
   * Creates the outcome for operations on one file, with the call order of another communicator
   * that has the same ranks.
   *
   * @param order the call order, which checks that all ranks begin the same operations in the same
   *     order
   */
  public CollectiveOutcome(CallOrder order, Communicator ranks, Watchdog watchdog, String file) {
    this.order = order;
    this.ranks = ranks;
    this.failures = new FailureGather(ranks);
    this.watchdog = watchdog;
    this.file = file;
    this.owner = OwnerThread.here(ranks.size(), file);
  }

  /** Returns the thread that may begin collective operations. */
  public OwnerThread owner() {
    return owner;
  }

  /**
   * Returns an outcome that continues the current operation on the file's own communicator.
   *
   * @param own the communicator that only this file uses
   */
  public CollectiveOutcome movedTo(Communicator own) {
    CollectiveOutcome moved = new CollectiveOutcome(order, own, watchdog, file);
    moved.operation = operation;
    moved.subject = subject;
    moved.shown = shown;
    moved.sequence = sequence;
    return moved;
  }

  /**
   * Returns the call order, which checks that all ranks begin the same operations in the same
   * order.
   */
  public CallOrder order() {
    return order;
  }

  /**
   * Sets the action that all ranks run together to abandon the file after they have called
   * different operations.
   */
  public void onMismatch(Runnable action) {
    abandon = action;
  }

  /**
   * Sets the action that this rank runs alone to abandon the file, if another rank has finalized
   * MPI or is using another file.
   */
  public void onRankLeft(Runnable action) {
    abandonAlone = action;
  }

  /**
   * Returns whether this rank has abandoned the file because the ranks called different operations
   * or another rank finalized MPI. No further collective operation on the file is then possible.
   */
  public boolean isAbandoned() {
    return abandoned;
  }

  /**
   * Begins a collective operation. All ranks must begin the same operation on the same object.
   *
   * @param status the failures of this rank before the operation
   * @throws CollectiveException on all ranks if one of them failed beforehand, or does not begin
   *     the same operation on the same object of the same file
   * @throws IllegalStateException if the calling thread may not begin collective operations, or if
   *     the file was abandoned; in both cases, nothing has been sent to other ranks
   */
  public void enter(Operation next, String object, LocalStatus status) {
    enter(next, object, "", status);
  }

  /**
   * Begins a collective operation, and compares the arguments of the ranks in the same exchange.
   *
   * @param arguments a text that must be equal on all ranks
   * @throws CollectiveException on all ranks in the cases of {@link #enter(Operation, String,
   *     LocalStatus)}, and if the arguments differ; the message gives the arguments of two ranks
   * @throws IllegalStateException in the cases of {@link #enter(Operation, String, LocalStatus)}
   */
  public void enter(Operation next, String object, String arguments, LocalStatus status) {
    owner.require(next, object);
    if (abandoned) {
      throw new IllegalStateException(
          "the ranks took different paths earlier and the file was abandoned: operation="
              + next
              + " file="
              + file);
    }
    operation = next;
    subject = object;
    shown = PrintableText.text(object);
    watchdog.enter(next.name(), shown, sequence + 1);
    try {
      begin(arguments, status);
      // The operation is counted only after all ranks have begun it. If the ranks are in calls on
      // different files, the operation has not begun.
      sequence++;
    } catch (RuntimeException e) {
      leave();
      throw e;
    }
  }

  private void begin(String arguments, LocalStatus status) {
    String given = (subject.isEmpty() ? "" : subject + " ") + arguments;
    long digest = digest(given);
    long[] all;
    try {
      all = order.begin(call(), status.isGood() ? 0 : 1, digest, -digest);
    } catch (CallMismatchException e) {
      throw mismatched(e, Place.BEGINNING);
    }
    if (all[0] != 0) {
      throw failed(status);
    }
    if (all[1] != -all[2]) {
      throw different("the ranks gave different arguments", given, digest);
    }
  }

  private CallOrder.Call call() {
    return new CallOrder.Call(
        operation.name(), shown, PrintableText.text(file), ranks.name(), operation.kind());
  }

  /** The point in an operation at which the ranks compare their calls. */
  private enum Place {
    BEGINNING,
    INSIDE
  }

  /**
   * Returns the exception for ranks that are in different operations. If all ranks are at the
   * beginning of an operation, and none of them is closing the file, no rank has changed anything,
   * and all can continue. If all calls concern this file, and some rank is inside an operation or
   * is closing the file, all ranks abandon the file together, since they cannot reach the same
   * point again. If a rank has finalized MPI, or if this rank is inside an operation while another
   * rank is using another file, this rank alone abandons its file.
   */
  private CollectiveException mismatched(CallMismatchException mismatch, Place place) {
    boolean oneFile = mismatch.extent() == CallMismatchException.Extent.ONE_GROUP;
    CallOrder.Call.Kind gravest = mismatch.gravest();
    if (gravest == CallOrder.Call.Kind.LEAVING || (!oneFile && place == Place.INSIDE)) {
      abandoned = true;
      abandonAlone.run();
    } else if (oneFile && gravest != CallOrder.Call.Kind.ORDINARY) {
      abandoned = true;
      abandon.run();
    }
    return new CollectiveException(
        operation,
        where(),
        mismatch.odd(),
        ranks.rankSet(),
        mismatch.text() + (abandoned ? "; the file was abandoned" : ""),
        Optional.empty());
  }

  /** Notifies the watchdog that the operation has ended. */
  public void leave() {
    watchdog.leave();
  }

  /**
   * Checks on all ranks that no rank has failed, and computes the maximum of each given number.
   * Collective.
   *
   * @param status the failures of this rank
   * @param words up to {@link #WORDS} numbers
   * @return the maximum of each number among the ranks
   * @throws CollectiveException on all ranks if at least one of them failed or has left the
   *     operation
   */
  public long[] agree(LocalStatus status, long... words) {
    long[] mine = new long[1 + words.length];
    mine[0] = status.isGood() ? 0 : 1;
    System.arraycopy(words, 0, mine, 1, words.length);
    long[] all;
    try {
      all = order.agree(call(), mine);
    } catch (CallMismatchException e) {
      throw mismatched(e, Place.INSIDE);
    }
    if (all[0] != 0) {
      throw failed(status);
    }
    return Arrays.copyOfRange(all, 1, all.length);
  }

  /**
   * Checks on all ranks that no rank has failed and that all ranks have made the same changes.
   * Collective.
   *
   * @param changes a digest of the changes that this rank has made; not negative
   * @throws CollectiveException on all ranks if one of them failed or has left the operation, or if
   *     their changes differ; every rank must then undo its changes
   */
  void agreeOnChanges(LocalStatus status, long changes) {
    long[] all = agree(status, changes, -changes);
    if (all[0] != -all[1]) {
      String digest = "digest=" + Long.toHexString(changes);
      throw different("the ranks changed different entries of the file", digest, changes);
    }
  }

  /**
   * Checks on all ranks, within a step, that no rank has failed and that all ranks have reached the
   * same point of the step. A rank that has ended the step takes part with {@link #agreeOnChanges}.
   * Collective.
   */
  void agreeOnPoint(String point) {
    agreeOnChanges(new LocalStatus(), digest(point));
  }

  /**
   * Checks on all ranks that no rank has failed to release the file, after its last operation. Also
   * serves as a barrier. Collective.
   *
   * @throws CollectiveException on all ranks if at least one of them failed
   */
  public void agreeOnRelease(LocalStatus status) {
    long[] failed = ranks.allReduce(new long[] {status.isGood() ? 0 : 1}, Reduction.MAX);
    if (failed[0] != 0) {
      throw failed(status);
    }
  }

  private CollectiveException different(String what, String given, long digest) {
    // Texts are truncated when sent, so only the digests show which ranks differ.
    long first = digestOfFirstRank(digest);
    List<Integer> odd =
        failures.concerned(digest == first ? Answer.NOT_CONCERNED : Answer.CONCERNED);
    int other = odd.getFirst();
    SortedMap<Integer, String> texts = failures.texts(List.of(0, other), given);
    return new CollectiveException(
        operation,
        "file=" + file,
        odd,
        ranks.rankSet(),
        what + " (rank 0: " + texts.get(0) + "; rank " + other + ": " + texts.get(other) + ")",
        Optional.empty());
  }

  private long digestOfFirstRank(long mine) {
    byte[] bytes = ByteWriter.create().u64(mine).toArray();
    return ByteReader.of(MemorySegment.ofArray(ranks.broadcast(bytes, 0)), "digest").i64();
  }

  private static long digest(String text) {
    long hash = 0xcbf29ce484222325L;
    for (int i = 0; i < text.length(); i++) {
      hash = (hash ^ text.charAt(i)) * 0x100000001b3L;
    }
    return hash >>> 2;
  }

  /**
   * Returns the exception for the failure of an operation that this rank performed alone.
   * Thread-safe.
   */
  public CollectiveException failedAlone(Operation failed, String object, RuntimeException cause) {
    String reason =
        Optional.ofNullable(cause.getMessage()).filter(text -> !text.isEmpty()).orElse("failed");
    return new CollectiveException(
        failed,
        where(object),
        List.of(ranks.rank()),
        Communicator.RankSet.of(1),
        reason,
        Optional.of(cause));
  }

  private CollectiveException failed(LocalStatus status) {
    List<Integer> failing =
        failures.concerned(status.isGood() ? Answer.NOT_CONCERNED : Answer.CONCERNED);
    String mine =
        status
            .failure()
            .map(f -> Optional.ofNullable(f.getMessage()).orElse(f.toString()))
            .filter(text -> !text.isEmpty())
            .orElse("failed");
    String reason = failures.text(failing.getFirst(), mine);
    return new CollectiveException(
        operation, where(), failing, ranks.rankSet(), reason, status.failure());
  }

  private String where() {
    return where(subject);
  }

  private String where(String object) {
    return "file=" + file + (object.isEmpty() ? "" : " object=" + object);
  }
}
