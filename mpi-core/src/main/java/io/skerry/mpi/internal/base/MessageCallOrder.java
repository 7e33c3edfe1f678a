package io.skerry.mpi.internal.base;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.skerry.mpi.CallMismatchException;
import io.skerry.mpi.CallOrder;
import io.skerry.mpi.CallOrder.Call.Kind;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.MpiErrorClass;
import io.skerry.mpi.Request;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;

/**
 * Compares the calls of the ranks by exchanging messages on their communicator: a dissemination
 * all-reduce, in which each rank, after k rounds, has the maximum over itself and its
 * 2<sup>k</sup>-1 predecessors (D. Hensgen, R. Finkel, U. Manber, "Two algorithms for barrier
 * synchronization", 1988). Unlike a collective call of the library, messages allow a waiting rank
 * to check the time.
 *
 * <p>Confined to the thread of its communicator.
 */
final class MessageCallOrder {
  private static final int TAG = Communicator.MAX_TAG + 2;

  /** The size in bytes of each position text that the ranks exchange after a mismatch. */
  private static final int POSITION_BYTES = 256;

  /** The number of positions that an exception lists before it omits repeated ones. */
  private static final int MOST_LISTED = 16;

  private static final long SPIN_NANOS = 50_000;
  private static final long YIELD_NANOS = 2_000_000;
  private static final long SHORT_WAIT_NANOS = 1_000_000_000;
  private static final long SHORT_NAP_NANOS = 50_000;
  private static final long LONG_NAP_NANOS = 1_000_000;

  private final CheckedCommunicator communicator;
  private final PositionInquiry inquiry;
  // The arenas are automatic, since there is no moment at which closing an explicit arena would be
  // safe: a message may still be pending when the communicator is abandoned.
  private final MemorySegment outgoing = Arena.ofAuto().allocate(JAVA_LONG, CallVector.LENGTH);
  private final MemorySegment incoming = Arena.ofAuto().allocate(JAVA_LONG, CallVector.LENGTH);
  private Optional<CallMismatchException> ended = Optional.empty();
  private long number;

  MessageCallOrder(CheckedCommunicator communicator) {
    this.communicator = communicator;
    this.inquiry = new PositionInquiry(communicator);
  }

  long[] begin(CallOrder.Call call, WaitLimit patience, long... words) {
    if (ended.isPresent()) {
      throw ended.get().again();
    }
    if (call.kind() != Kind.INSIDE) {
      number++;
    }
    String position = CallVector.position(call, number);
    long[] all = CallVector.of(call, words);
    int size = communicator.size();
    for (int distance = 1; distance < size; distance <<= 1) {
      CallVector.combine(all, exchanged(all, distance, position, patience));
    }
    if (CallVector.isSame(all)) {
      return CallVector.words(all, words.length);
    }
    CallMismatchException failure = CallVector.mismatch(all, positions(position));
    if (failure.gravest() == Kind.LEAVING) {
      ended = Optional.of(failure);
    }
    throw failure;
  }

  /** Ends the comparisons of this rank, so that no receive remains pending. Local. */
  void end() {
    inquiry.end();
  }

  /**
   * Sends this rank's call vector to rank {@code rank + distance}, and returns the vector received
   * from rank {@code rank - distance}, both modulo the number of ranks.
   */
  private long[] exchanged(long[] mine, int distance, String position, WaitLimit patience) {
    int size = communicator.size();
    int from = Math.floorMod(communicator.rank() - distance, size);
    outgoing.copyFrom(MemorySegment.ofArray(mine));
    Request receive = communicator.startReceive(incoming, from, TAG);
    Request send = communicator.startSend(outgoing, (communicator.rank() + distance) % size, TAG);
    await(receive, from, position, patience);
    await(send, from, position, patience);
    long bytes = receive.await().bytes();
    if (bytes != incoming.byteSize()) {
      throw communicator.failure(
          "begin",
          MpiErrorClass.MISMATCH,
          "a rank compares calls in another form: bytes=%d expected=%d sender=%d"
              .formatted(bytes, incoming.byteSize(), from));
    }
    return incoming.toArray(JAVA_LONG);
  }

  private void await(Request request, int from, String position, WaitLimit patience) {
    if (request.done()) {
      return;
    }
    long started = System.nanoTime();
    long active = started;
    while (!request.done()) {
      long now = System.nanoTime();
      if (communicator.waitingActions().run()) {
        // A rank that has just served others keeps polling, to answer their next message promptly.
        active = now;
      }
      long idle = now - active;
      if (idle < SPIN_NANOS) {
        Thread.onSpinWait();
      } else if (idle < YIELD_NANOS) {
        Thread.yield();
      } else if (idle < SHORT_WAIT_NANOS) {
        LockSupport.parkNanos(SHORT_NAP_NANOS);
      } else {
        inquiry.answer(position);
        LockSupport.parkNanos(LONG_NAP_NANOS);
      }
      if (now - started > patience.nanos()) {
        inquiry.endJob(position, from, patience);
      }
    }
  }

  /**
   * Collects the positions of all ranks (see {@link CallVector#position}). Once {@link
   * #MOST_LISTED} positions are listed, repeated ones are omitted. All ranks call this method,
   * since each has detected the mismatch.
   */
  private SortedMap<Integer, String> positions(String mine) {
    byte[] text = Arrays.copyOf(PositionInquiry.cut(mine, POSITION_BYTES), POSITION_BYTES);
    byte[] all = new byte[POSITION_BYTES * communicator.size()];
    communicator.allGather(MemorySegment.ofArray(text), MemorySegment.ofArray(all));
    SortedMap<Integer, String> positions = new TreeMap<>();
    for (int rank = 0; rank < communicator.size(); rank++) {
      String position =
          new String(all, rank * POSITION_BYTES, POSITION_BYTES, StandardCharsets.UTF_8)
              .replace("\0", "");
      boolean isNew = !positions.containsValue(position);
      if (isNew || positions.size() < MOST_LISTED) {
        positions.put(rank, position);
      }
    }
    return positions;
  }
}
