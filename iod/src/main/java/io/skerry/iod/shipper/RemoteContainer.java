package io.skerry.iod.shipper;

import io.skerry.iod.engine.Container;
import io.skerry.iod.engine.ContainerInfo;
import io.skerry.iod.engine.EngineLocation;
import io.skerry.iod.engine.Shard;
import io.skerry.iod.engine.Snapshots;
import io.skerry.iod.shipper.wire.Call;
import io.skerry.iod.shipper.wire.Position;
import io.skerry.iod.transaction.AbortExtent;
import io.skerry.iod.transaction.ReadContext;
import io.skerry.iod.transaction.Refusal;
import io.skerry.iod.transaction.Request;
import io.skerry.iod.transaction.Ticket;
import io.skerry.iod.transaction.TransactionException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Accesses a container on I/O ranks. Unlike those of other containers, its methods wait for the I/O
 * ranks and may be called only by the thread of the rank.
 */
final class RemoteContainer implements Container {
  /**
   * The access that a user of a remote container has.
   *
   * @param session the session of reads and changes
   * @param ticket the permission to write; empty if there is none
   * @param readable the transaction of the read context; empty if there is none
   */
  record View(long session, Optional<Ticket> ticket, Optional<Long> readable) {
    /** Returns the view for direct calls to the engine. */
    static View direct() {
      return new View(Position.NO_SESSION, Optional.empty(), Optional.empty());
    }

    static View reading(ReadContext context) {
      return new View(context.session(), Optional.empty(), Optional.of(context.transaction()));
    }

    static View changing(Ticket ticket) {
      return new View(ticket.session(), Optional.of(ticket), Optional.empty());
    }

    boolean isDirect() {
      return session == Position.NO_SESSION;
    }

    Position at(long transaction) {
      return new Position(session, transaction);
    }

    /** Returns the exception for an engine operation that is called in the view of a session. */
    IllegalStateException refused(String operation) {
      return new IllegalStateException(
          "the leader of the transactions does this: operation=" + operation);
    }
  }

  private final ShipperClient client;
  private final View view;
  private boolean isClosed;
  private boolean isAborted;

  RemoteContainer(ShipperClient client, View view) {
    this.client = client;
    this.view = view;
  }

  View view() {
    return view;
  }

  /** Returns the client, unless the container is closed. */
  ShipperClient client() {
    if (isClosed) {
      throw new IllegalStateException("the container is closed: location=" + location());
    }
    return client;
  }

  boolean isClosed() {
    return isClosed || client.hasFailed();
  }

  @Override
  public EngineLocation location() {
    return client.location();
  }

  @Override
  public ContainerInfo info() {
    return client.info();
  }

  @Override
  public Set<Integer> served() {
    return IntStream.range(0, info().shards()).boxed().collect(Collectors.toUnmodifiableSet());
  }

  @Override
  public Shard shard(int number) {
    return new RemoteShard(this, number, client.owner(number));
  }

  @Override
  public long readableMark() {
    return view.readable()
        .orElseGet(
            () -> client().execute(client.serverRank(0), new Call.ReadMark(), Outcome::number));
  }

  @Override
  public boolean advance(long expected, long next) {
    if (!view.isDirect()) {
      throw view.refused("advance");
    }
    Call call = new Call.Advance(expected, next);
    return client().execute(client.serverRank(0), call, Outcome::number) == 1;
  }

  /** Aborts the transaction of this view. */
  void abortTransaction() {
    if (isAborted || isClosed()) {
      return;
    }
    isAborted = true;
    try {
      var unused =
          client()
              .ask(id ->
                  new Request.Abort(
                      client.number(), id, view.ticket().orElseThrow(), AbortExtent.ONE))
              .await();
    } catch (TransactionException e) {
      // The transaction may have been aborted by another client or with its session.
      if (e.refusal() != Refusal.LOST && e.refusal() != Refusal.STATE) {
        throw e;
      }
    }
  }

  @Override
  public Snapshots snapshots() {
    return new RemoteSnapshots();
  }

  /** The snapshots, whose parts the I/O ranks store. */
  private final class RemoteSnapshots implements Snapshots {
    private void step(int server, Call.SnapshotStep step, String name, long transaction) {
      Call call = new Call.Snapshot(step, name, transaction);
      var unused = client().execute(client.serverRank(server), call, Outcome::nothing);
    }

    private void requireDirect(String operation) {
      if (!view.isDirect()) {
        throw view.refused(operation);
      }
    }

    @Override
    public List<String> names() {
      Call call = new Call.Snapshot(Call.SnapshotStep.NAMES, "", 0);
      return client().execute(client.serverRank(0), call, Outcome::lines);
    }

    @Override
    public void prepare(String name, long transaction) {
      requireDirect("prepare");
      for (int server = 0; server < client.servers(); server++) {
        step(server, Call.SnapshotStep.PREPARE, name, transaction);
      }
    }

    @Override
    public void complete(String name, long transaction) {
      requireDirect("complete");
      step(0, Call.SnapshotStep.COMPLETE, name, transaction);
    }

    @Override
    public void delete(String name) {
      step(0, Call.SnapshotStep.DELETE, name, 0);
    }
  }

  /** Releases this view; the shipper remains open. */
  @Override
  public void close() {
    isClosed = true;
  }
}
