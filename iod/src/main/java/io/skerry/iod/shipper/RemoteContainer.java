package io.skerry.iod.shipper;

import io.skerry.iod.engine.Container;
import io.skerry.iod.engine.ContainerInfo;
import io.skerry.iod.engine.EngineLocation;
import io.skerry.iod.engine.Shard;
import io.skerry.iod.engine.Snapshots;
import io.skerry.iod.shipper.wire.Call;
import io.skerry.iod.transaction.AbortExtent;
import io.skerry.iod.transaction.Refusal;
import io.skerry.iod.transaction.Request;
import io.skerry.iod.transaction.TransactionException;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A container on I/O ranks. Its methods wait for the I/O ranks, and are for the thread of the rank
 * only, unlike those of other containers.
 */
final class RemoteContainer implements Container {
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
            () ->
                client()
                    .executeNumber(client.serverRank(0), new Call.ReadMark(), Outcome::number));
  }

  @Override
  public boolean advance(long expected, long next) {
    if (!view.isDirect()) {
      throw view.refused("advance");
    }
    Call call = new Call.Advance(expected, next);
    return client().executeNumber(client.serverRank(0), call, Outcome::number) == 1;
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
              .ask(
                  id ->
                      new Request.Abort(
                          client.number(),
                          id,
                          view.ticket().orElseThrow(),
                          AbortExtent.ONE))
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

  /** Ends the use of this object; the shipper remains open. */
  @Override
  public void close() {
    isClosed = true;
  }
}
