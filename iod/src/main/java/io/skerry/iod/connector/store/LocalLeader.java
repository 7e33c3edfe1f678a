package io.skerry.iod.connector.store;

import io.skerry.iod.engine.Container;
import io.skerry.iod.engine.Durability;
import io.skerry.iod.transaction.Conflicts;
import io.skerry.iod.transaction.DirectLink;
import io.skerry.iod.transaction.Leader;
import io.skerry.iod.transaction.LeaderOptions;
import io.skerry.iod.transaction.Participant;
import io.skerry.iod.transaction.Reply;
import io.skerry.iod.transaction.Request;
import io.skerry.iod.transaction.TransactionClient;
import io.skerry.iod.transaction.TransactionException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongFunction;

/**
 * The transactions of a container that this process serves alone: leader, participant and the only
 * client are in this process. The client writes to the shards directly, and prepares its changes
 * before it finishes a transaction. Thread-safe.
 */
final class LocalLeader {
  private static final int PROCESS = 0;
  private static final int CLIENT = 0;

  private final Map<Long, Reply> replies = new HashMap<>();
  private final DirectLink link = new DirectLink((_, reply) -> replies.put(reply.id(), reply));
  private final Leader leader;
  private long requests;

  /**
   * Recovers a container. If that fails, all requests are refused.
   *
   * @param container the container, open for writing with all shards, and not recovered
   */
  LocalLeader(Container container) {
    // The leader forgets its sessions when the container is closed, so any number will do.
    long session = Math.max(1, TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis()));
    // No participant can be lost, because messages are delivered by method calls.
    LeaderOptions options = new LeaderOptions(1, 1, Durability.BUFFERED, Long.MAX_VALUE, session);
    this.leader = new Leader(container, options, link);
    Participant participant =
        new Participant(container, Conflicts.UNDEFINED, link.answers(PROCESS));
    link.connect(leader);
    link.connect(PROCESS, participant);
    participant.join();
    link.deliver();
  }

  /** Returns the client, through which transactions are requested. Does not fail. */
  TransactionClient client() {
    return new TransactionClient(CLIENT, this::ask);
  }

  private synchronized Reply ask(LongFunction<Request> request) {
    Request asked = request.apply(requests++);
    leader.receive(asked);
    link.deliver();
    Reply reply =
        Optional.ofNullable(replies.remove(asked.id()))
            .orElseThrow(() ->
                new IllegalStateException(
                    "the request waits for a transaction of this process: request=" + asked));
    if (reply instanceof Reply.Refused refused) {
      throw new TransactionException(refused.refusal(), refused.message());
    }
    return reply;
  }
}
