package io.skerry.iod.transaction;

import java.util.function.LongFunction;

/**
 * Sends the transaction requests of a client. Each method waits for the reply, and throws a {@link
 * TransactionException} if the leader refuses the request, or the exception of the transport if
 * there is no reply. All methods are local and may be called only by threads that may use the
 * transport.
 */
public final class TransactionClient {
  private final int client;
  private final Transport transport;

  /** Sends a request to the leader, and waits for the reply. */
  @FunctionalInterface
  public interface Transport {
    /**
     * Executes a request.
     *
     * @param request creates the request with a given identifier
     * @return the reply, which is not a refusal
     * @throws TransactionException if the request is refused
     */
    Reply ask(LongFunction<Request> request);
  }

  /**
   * Creates the sender of a client's requests.
   *
   * @param client the number of the client
   */
  public TransactionClient(int client, Transport transport) {
    this.client = client;
    this.transport = transport;
  }

  private Reply ask(LongFunction<Request> request) {
    return transport.ask(request);
  }

  private static Ticket ticket(Reply reply) {
    if (reply instanceof Reply.Started started) {
      return started.ticket();
    }
    throw unexpected(reply);
  }

  private static IllegalStateException unexpected(Reply reply) {
    return new IllegalStateException("unexpected reply of the leader: " + reply);
  }

  private static void done(Reply reply) {
    if (!(reply instanceof Reply.Done)) {
      throw unexpected(reply);
    }
  }

  /** Starts the transaction above all numbers in use, for this client alone. */
  public Ticket startNext() {
    return ticket(ask(id -> new Request.StartNext(client, id)));
  }

  /**
   * Starts a transaction.
   *
   * @param number the number of the transaction, at least 1
   * @param clients the number of clients that start and finish it, at least 1
   */
  public Ticket start(long number, int clients) {
    return ticket(ask(id -> new Request.Start(client, id, number, clients)));
  }

  /**
   * Finishes the part of this client in a transaction, after all its changes were acknowledged.
   *
   * @throws RuntimeException if a change has failed: its exception; the transaction is not finished
   */
  public void finish(Ticket ticket) {
    done(ask(id -> new Request.Finish(client, id, ticket)));
  }

  /** Aborts a transaction, or this one and all higher ones. */
  public void abort(Ticket ticket, AbortExtent extent) {
    done(ask(id -> new Request.Abort(client, id, ticket, extent)));
  }

  /** Forbids the start of free numbers. */
  public void skip(long first, long last) {
    done(ask(id -> new Request.Skip(client, id, first, last)));
  }

  /** Waits until a transaction is readable. */
  public void awaitReadable(Ticket ticket) {
    done(ask(id -> new Request.AwaitReadable(client, id, ticket)));
  }

  /** Waits until a transaction is durable. */
  public void persist(Ticket ticket) {
    done(ask(id -> new Request.Persist(client, id, ticket)));
  }

  /**
   * Acquires a read context.
   *
   * @param number the number of a transaction, 0 or more
   */
  public ReadContext acquire(VersionChoice choice, long number) {
    Reply reply = ask(id -> new Request.Acquire(client, id, choice, number));
    if (reply instanceof Reply.Acquired acquired) {
      return acquired.context();
    }
    throw unexpected(reply);
  }

  /** Releases a read context. */
  public void release(ReadContext context) {
    done(ask(id -> new Request.Release(client, id, context)));
  }

  /**
   * Stores a snapshot of the newest readable transaction.
   *
   * @return the number of this transaction
   */
  public long snapshot(String name) {
    Reply reply = ask(id -> new Request.Snapshot(client, id, name));
    if (reply instanceof Reply.SnapshotTaken taken) {
      return taken.transaction();
    }
    throw unexpected(reply);
  }
}
