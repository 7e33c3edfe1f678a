package io.skerry.iod.transaction;

import java.util.ArrayDeque;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * A link within one process that serves the whole container with one or more participants. Orders
 * and answers wait in a queue until {@link #deliver} is called; a reply is passed on at once.
 * Local, not thread-safe.
 */
public final class DirectLink implements Link {
  private final BiConsumer<Integer, Reply> replies;
  private final Map<Integer, Participant> participants = new TreeMap<>();
  private final Queue<Runnable> messages = new ArrayDeque<>();
  private Optional<Leader> leader = Optional.empty();

  /**
   * Creates a link.
   *
   * @param replies receives the number of a client and a reply to it; must not call the leader
   */
  public DirectLink(BiConsumer<Integer, Reply> replies) {
    this.replies = replies;
  }

  /** Sets the leader, once. */
  public void connect(Leader to) {
    leader = Optional.of(to);
  }

  /** Adds a participant that was created with the {@link #answers} of its number. */
  public void connect(int process, Participant participant) {
    participants.put(process, participant);
  }

  /** Returns a consumer that queues the answers of a participant for the leader. */
  public Consumer<Answer> answers(int process) {
    return answer -> messages.add(() -> leader.orElseThrow().receive(process, answer));
  }

  @Override
  public void send(int process, Order order) {
    messages.add(
        () -> Optional.ofNullable(participants.get(process)).ifPresent(to -> to.receive(order)));
  }

  @Override
  public void reply(int client, Reply reply) {
    replies.accept(client, reply);
  }

  /** Delivers all orders and answers, including those caused by delivered ones. */
  public void deliver() {
    for (Runnable next = messages.poll(); next != null; next = messages.poll()) {
      next.run();
    }
  }
}
