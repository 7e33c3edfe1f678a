package io.skerry.mpi.internal.local;

import io.skerry.mpi.Communicator;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.function.IntUnaryOperator;

/**
 * The messages for one rank of a group, matched as in MPI: receives in the order in which they were
 * posted, and messages with the same source and tag in the order in which they were sent. Guarded
 * by the lock of the scheduler.
 */
final class Mailbox {

  /** A message that is being sent; its bytes are a copy. */
  static final class Message {
    private final int source;
    private final int tag;
    private final MemorySegment data;
    private boolean taken;

    Message(int source, int tag, MemorySegment data) {
      this.source = source;
      this.tag = tag;
      this.data = data;
    }

    int source() {
      return source;
    }

    int tag() {
      return tag;
    }

    MemorySegment data() {
      return data;
    }

    /** Returns whether a receive has matched the message. */
    boolean taken() {
      return taken;
    }
  }

  /** A receive that waits for a matching message. */
  static final class Posted {
    private final int source;
    private final int tag;
    private Optional<Message> message = Optional.empty();

    Posted(int source, int tag) {
      this.source = source;
      this.tag = tag;
    }

    Optional<Message> message() {
      return message;
    }

    private boolean matches(Message candidate) {
      return candidate.tag == tag
          && (source == Communicator.ANY_SOURCE || source == candidate.source);
    }

    private void take(Message matched) {
      message = Optional.of(matched);
      matched.taken = true;
    }
  }

  private final List<Message> unexpected = new ArrayList<>();
  private final List<Posted> posted = new ArrayList<>();

  void deliver(Message message) {
    for (var receive : posted) {
      if (receive.matches(message)) {
        posted.remove(receive);
        receive.take(message);
        return;
      }
    }
    unexpected.add(message);
  }

  /**
   * Posts a receive, and matches it at once if a suitable message has arrived.
   *
   * @param receive the receive
   * @param choose the function that chooses a sender: its argument is the number of candidates, at
   *     least 1, and its result is the index of a candidate
   */
  void post(Posted receive, IntUnaryOperator choose) {
    var sources = new HashSet<Integer>();
    // Only the first message of each source is a candidate: a later one must not overtake it.
    var candidates =
        unexpected.stream()
            .filter(message -> receive.matches(message) && sources.add(message.source))
            .toList();
    if (candidates.isEmpty()) {
      posted.add(receive);
      return;
    }
    var chosen = candidates.get(choose.applyAsInt(candidates.size()));
    unexpected.remove(chosen);
    receive.take(chosen);
  }
}
