package io.skerry.collective.step;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.collective.wire.FailureGather;
import io.skerry.collective.wire.FailureGather.Answer;
import io.skerry.exception.PrintableText;
import io.skerry.mpi.CallMismatchException;
import io.skerry.mpi.CallOrder;
import io.skerry.mpi.CollectiveCall;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.internal.concurrent.Watchdog;
import io.skerry.parallel.CollectiveException;
import io.skerry.parallel.Operation;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;

/**
 * The only place where one rank's failure becomes everybody's exception.
 *
 * <p>An operation begins in the {@link CallOrder} of the communicator that the file was opened
 * with: one all-reduce compares file, operation, object and arguments, and combines the status of
 * the ranks. All files of that communicator begin their operations there, so a rank that closes a
 * file, or writes to another one, while the others write meets them in the same all-reduce, and all
 * leave with the same exception. Later agreements of an operation are one all-reduce each in the
 * same order, so that a rank that has left the operation is found as well. Only after a failure
 * does a second, longer exchange collect the failed ranks and their reasons.
 */
public final class CollectiveOutcome {
  /** Words a caller may add to an agreement. */
  public static final int WORDS = 6;

  private final CallOrder order;
  private final Communicator ranks;
  private final FailureGather census;
  private final Watchdog watchdog;
  private final String file;
  private final OwnerThread owner;
  private Operation operation = Operation.USER;
  private String subject = "";

  /** The subject as messages show it: names in files may hold control characters. */
  private String shown = "";

  private long sequence;
  private Runnable abandon = () -> {};
  private Runnable abandonAlone = () -> {};
  private boolean abandoned;

  /**
   * Belongs to the calling thread where there are several ranks.
   *
   * @param ranks who agrees
   * @param file named in every failure
   */
  public CollectiveOutcome(Communicator ranks, Watchdog watchdog, String file) {
    this(ranks.callOrder(), ranks, watchdog, file);
  }

  /**
   * The same in the order of another communicator of these ranks.
   *
   * @param order compares operations when they begin
   */
  public CollectiveOutcome(CallOrder order, Communicator ranks, Watchdog watchdog, String file) {
    this.order = order;
    this.ranks = ranks;
    this.census = new FailureGather(ranks);
    this.watchdog = watchdog;
    this.file = file;
    this.owner = OwnerThread.here(ranks.size(), file);
  }

  /** The thread that operations of several ranks belong to. */
  public OwnerThread owner() {
    return owner;
  }

  /**
   * Returns an outcome for a communicator of the file's own that goes on with the operation that
   * has begun here.
   */
  public CollectiveOutcome movedTo(Communicator own) {
    CollectiveOutcome moved = new CollectiveOutcome(order, own, watchdog, file);
    moved.operation = operation;
    moved.subject = subject;
    moved.shown = shown;
    moved.sequence = sequence;
    return moved;
  }

  /** The order in which operations begin. */
  public CallOrder order() {
    return order;
  }

  /** What to do, on all ranks together, when one of them closes the file and others do not. */
  public void onMismatch(Runnable action) {
    abandon = action;
  }

  /** What to do, on this rank alone, when another one has ended MPI. */
  public void onRankLeft(Runnable action) {
    abandonAlone = action;
  }

  /**
   * Returns whether the ranks took different paths, after which nothing collective is possible any
   * more.
   */
  public boolean isAbandoned() {
    return abandoned;
  }

  /**
   * Begins a collective operation: all ranks must begin the same one, on the same object.
   *
   * @throws CollectiveException on all ranks if one of them failed beforehand, or begins another
   *     operation or one on another object
   * @throws IllegalStateException on a thread that the operations of this rank do not belong to;
   *     the other ranks do not notice
   */
  public void enter(Operation next, String object, LocalStatus status) {
    enter(next, object, "", status);
  }

  /**
   * The same, and agrees in the same exchange that all ranks were given the same arguments.
   *
   * @throws CollectiveException on all ranks also if they were not, naming what differs and where
   * @throws IllegalStateException as {@link #enter(Operation, String, LocalStatus)}
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
      // Counted when all have begun it: other ranks may have been in a call of another file.
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

  private CollectiveCall call() {
    return new CollectiveCall(
        operation.name(), shown, PrintableText.text(file), ranks.name(), operation.kind());
  }

  /** The place in an operation where ranks compare it. */
  private enum Place {
    BEGINNING,
    INSIDE
  }

  /**
   * The failure of ranks that are in different operations. If all are at the beginning of one, none
   * has changed anything, and all can go on. Where a rank is inside an operation, or closes the
   * file, all that have it in their calls abandon it together, for they are at the same point for
   * the last time. With ranks that have ended MPI, or are in a call of another file, a rank
   * abandons its file alone.
   */
  private CollectiveException mismatched(CallMismatchException mismatch, Place place) {
    boolean oneFile = mismatch.extent() == CallMismatchException.Extent.ONE_GROUP;
    CollectiveCall.Kind gravest = mismatch.gravest();
    if (gravest == CollectiveCall.Kind.LEAVING || (!oneFile && place == Place.INSIDE)) {
      abandoned = true;
      abandonAlone.run();
    } else if (oneFile && gravest != CollectiveCall.Kind.ORDINARY) {
      abandoned = true;
      abandon.run();
    }
    return new CollectiveException(
        operation,
        where(),
        mismatch.odd(),
        mismatch.text() + (abandoned ? "; the file was abandoned" : ""),
        Optional.empty());
  }

  /** Ends the operation for the watchdog. */
  public void leave() {
    watchdog.leave();
  }

  /**
   * Agrees that all went well.
   *
   * @param words up to {@link #WORDS} numbers
   * @return the greatest of each over the ranks
   * @throws CollectiveException on all ranks if one of them failed
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
   * Agrees that all went well, and that the ranks changed the same.
   *
   * @param changes a number that tells changes apart, not negative
   * @throws CollectiveException on all ranks if one of them failed, or changed something else; none
   *     may keep its changes then
   */
  void agreeOnChanges(LocalStatus status, long changes) {
    long[] all = agree(status, changes, -changes);
    if (all[0] != -all[1]) {
      String digest = "digest=" + Long.toHexString(changes);
      throw different("the ranks changed different entries of the file", digest, changes);
    }
  }

  private CollectiveException different(String what, String given, long digest) {
    // 62 bits of the text; a collision of unequal arguments is as likely as a broken network.
    // Texts travel cut, so that only the digests tell which differ.
    long first = digestOfTheFirst(digest);
    List<Integer> odd = census.concerned(digest == first ? Answer.NOT_CONCERNED : Answer.CONCERNED);
    int other = odd.getFirst();
    SortedMap<Integer, String> texts = census.texts(List.of(0, other), given);
    return new CollectiveException(
        operation,
        "file=" + file,
        odd,
        what + " (rank 0: " + texts.get(0) + "; rank " + other + ": " + texts.get(other) + ")",
        Optional.empty());
  }

  private long digestOfTheFirst(long mine) {
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

  /** What to throw when an operation has failed that this rank does alone, in any thread. */
  public CollectiveException failedAlone(Operation failed, String object, RuntimeException cause) {
    String reason =
        Optional.ofNullable(cause.getMessage()).filter(text -> !text.isEmpty()).orElse("failed");
    return new CollectiveException(
        failed, where(object), List.of(ranks.rank()), reason, Optional.of(cause));
  }

  private CollectiveException failed(LocalStatus status) {
    List<Integer> failing =
        census.concerned(status.isGood() ? Answer.NOT_CONCERNED : Answer.CONCERNED);
    String mine =
        status
            .failure()
            .map(f -> Optional.ofNullable(f.getMessage()).orElse(f.toString()))
            .filter(text -> !text.isEmpty())
            .orElse("failed");
    String reason = census.text(failing.getFirst(), mine);
    return new CollectiveException(operation, where(), failing, reason, status.failure());
  }

  private String where() {
    return where(subject);
  }

  private String where(String object) {
    return "file=" + file + (object.isEmpty() ? "" : " object=" + object);
  }
}
