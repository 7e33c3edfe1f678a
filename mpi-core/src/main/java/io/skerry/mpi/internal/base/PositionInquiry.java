package io.skerry.mpi.internal.base;

import io.skerry.mpi.Communicator;
import io.skerry.mpi.Request;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;

/**
 * Collects the positions of the ranks of a communicator (see {@link CallVector#position}) when one
 * of them has waited too long, and ends the job. Only ranks that are waiting too, in {@link
 * MessageCallOrder}, can answer. A rank that does not answer is not waiting there: it is computing
 * or in another call, or has ended.
 *
 * <p>Confined to the thread of its communicator, which waits in {@link MessageCallOrder}.
 */
final class PositionInquiry {
  private static final int TAG = Communicator.MAX_TAG + 3;
  private static final int MESSAGE_BYTES = 512;

  /**
   * The largest communicator size, in ranks, at which the ranks ask each other for their positions;
   * the number of messages grows with the square of the size. In a larger communicator, a rank
   * prints only the positions that it already has.
   */
  private static final int MOST_ASKED = 64;

  private static final Duration GRACE = Duration.ofSeconds(2);
  private static final byte QUESTION = 1;
  private static final byte ANSWER = 2;
  private static final byte END = 3;

  private final CheckedCommunicator communicator;
  private final MemorySegment incoming = Arena.ofAuto().allocate(MESSAGE_BYTES);
  private final List<Request> sent = new ArrayList<>();
  private final SortedMap<Integer, String> known = new TreeMap<>();
  private Optional<Request> receive = Optional.empty();
  private boolean lowerRankAsks;

  PositionInquiry(CheckedCommunicator communicator) {
    this.communicator = communicator;
  }

  /**
   * Answers the ranks that have asked for the position of this rank, and records the positions that
   * other ranks have sent. Never waits.
   */
  void answer(String position) {
    while (true) {
      Request next =
          receive.orElseGet(
              () -> communicator.startReceive(incoming, Communicator.ANY_SOURCE, TAG));
      // The request stays pending for the next wait, or until the end of the communicator.
      receive = Optional.of(next);
      if (!next.done()) {
        return;
      }
      int source = next.await().source();
      byte[] message = incoming.asSlice(0, next.await().bytes()).toArray(ValueLayout.JAVA_BYTE);
      receive = Optional.empty();
      known.put(source, new String(message, 1, message.length - 1, StandardCharsets.UTF_8));
      if (message[0] == QUESTION) {
        lowerRankAsks |= source < communicator.rank();
        send(ANSWER, source, position);
      }
    }
  }

  /**
   * Completes the pending receive, if there is one, with a message from this rank to itself. While
   * a receive is pending, MPI must not be finalized, and the library cannot release the
   * communicator.
   */
  void end() {
    if (receive.isEmpty()) {
      return;
    }
    Request pending = receive.get();
    Request last = communicator.startSend(outgoing(END, ""), communicator.rank(), TAG);
    // Messages from other ranks may arrive before the message from this rank.
    while (pending.await().source() != communicator.rank()) {
      pending = communicator.startReceive(incoming, Communicator.ANY_SOURCE, TAG);
    }
    receive = Optional.empty();
    var unused = last.await();
  }

  /**
   * Prints the positions of the ranks and ends the job. If a lower rank has asked too, that rank
   * prints the positions instead. If this process does not end, throws an {@code MpiException}.
   *
   * @param position the position of this rank
   * @param absent the rank for which this rank waits
   * @param patience the time limit that has expired
   */
  void endJob(String position, int absent, WaitLimit patience) {
    known.put(communicator.rank(), position);
    ask(position);
    long started = System.nanoTime();
    long grace = GRACE.toNanos();
    while (known.size() < communicator.size() && System.nanoTime() - started < grace) {
      answer(position);
      LockSupport.parkNanos(1_000_000);
    }
    if (lowerRankAsks) {
      // The lower rank prints the positions. The wait gives it time to do so before this rank
      // aborts the job.
      LockSupport.parkNanos(2 * grace);
    } else {
      PrintedLine.print(
          "skerry: the job is ended: ranks have not begun a collective call: seconds="
              + patience.seconds()
              + " "
              + text(absent));
    }
    communicator.abort(1);
  }

  private void ask(String position) {
    if (communicator.size() > MOST_ASKED) {
      return;
    }
    for (int rank = 0; rank < communicator.size(); rank++) {
      if (rank != communicator.rank()) {
        send(QUESTION, rank, position);
      }
    }
  }

  private String text(int absent) {
    StringBuilder text = new StringBuilder();
    for (int rank = 0; rank < communicator.size(); rank++) {
      if (known.containsKey(rank)) {
        text.append("rank ").append(rank).append(' ').append(known.get(rank)).append("; ");
      } else if (communicator.size() <= MOST_ASKED) {
        text.append("rank ").append(rank).append(" is in no collective call, or has left; ");
      }
    }
    if (communicator.size() > MOST_ASKED) {
      text.append("rank ").append(absent).append(", or a rank that it waits for, has not come; ");
    }
    return text.substring(0, text.length() - 2);
  }

  private void send(byte kind, int to, String position) {
    sent.removeIf(Request::done);
    sent.add(communicator.startSend(outgoing(kind, position), to, TAG));
  }

  private static MemorySegment outgoing(byte kind, String position) {
    byte[] text = cut(position, MESSAGE_BYTES - 1);
    MemorySegment message = Arena.ofAuto().allocate(1 + text.length);
    message.set(ValueLayout.JAVA_BYTE, 0, kind);
    message.asSlice(1).copyFrom(MemorySegment.ofArray(text));
    return message;
  }

  /** Returns the text in UTF-8, truncated to at most the given number of bytes. */
  static byte[] cut(String text, int bytes) {
    byte[] whole = text.getBytes(StandardCharsets.UTF_8);
    return whole.length <= bytes ? whole : Arrays.copyOf(whole, bytes);
  }
}
