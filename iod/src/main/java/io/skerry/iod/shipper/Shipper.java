package io.skerry.iod.shipper;

import io.skerry.iod.engine.Container;
import io.skerry.iod.engine.ContainerInfo;
import io.skerry.iod.shipper.option.Patience;
import io.skerry.iod.shipper.option.Placement;
import io.skerry.iod.shipper.option.ShipperOptions;
import io.skerry.iod.shipper.wire.Failure;
import io.skerry.iod.shipper.wire.Message;
import io.skerry.mpi.CallOrder;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.MpiException;
import io.skerry.mpi.Reduction;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A container that the I/O ranks serve to the clients on the compute ranks.
 *
 * <p>All work is done in the thread of a rank, since a communicator is confined to it. A rank that
 * only serves does all its work in {@link #serve} until all clients have left. A rank that computes
 * and serves ({@link Placement.Kind#SHARED}) serves while it is inside a method of its client that
 * waits, in {@link ShipperClient#progress}, in {@link #close}, and while it waits in the {@link
 * Communicator#callOrder} of the communicator, for example in its barrier or in a collective
 * operation on another file of the communicator. While it computes, calls from other ranks wait. A
 * rank that computes for longer than {@code skerry.patience} without calling one of these methods
 * is therefore considered lost by a rank that waits for it; a program with long computations calls
 * {@link ShipperClient#progress} from time to time, or uses I/O ranks that only serve.
 *
 * <p>A call of a rank to itself is a method call without a message, so a container on one rank
 * sends none.
 */
public final class Shipper implements AutoCloseable {
  private final Communicator communicator;
  private final CallOrder order;
  private final BooleanSupplier serving = this::advance;
  private final Placement placement;
  private final Patience patience;
  private final Deliveries deliveries = new Deliveries();
  private final Postbox postbox;
  private final Optional<Server> server;
  private final Optional<ShipperClient> client;
  private boolean isClosed;
  private Optional<MpiException> transport = Optional.empty();

  private Shipper(
      Communicator communicator,
      CallOrder order,
      Placement placement,
      ShipperOptions options,
      Patience patience,
      ContainerSource source,
      ContainerInfo info,
      Optional<Container> container) {
    this.communicator = communicator;
    this.order = order;
    this.placement = placement;
    this.patience = patience;
    this.postbox = new Postbox(communicator, options.transfer(), options.inlineBytes(), deliveries);
    this.server =
        container.map(opened ->
            new Server(
                placement,
                options,
                opened,
                postbox,
                patience,
                reply -> client().ifPresent(to -> to.replied(reply)),
                failure -> client().ifPresent(to -> to.fail(failure))));
    this.client =
        placement.clientOf(communicator.rank()).isEmpty()
            ? Optional.empty()
            : Optional.of(
                new ShipperClient(
                    placement,
                    options,
                    postbox,
                    order::runWaitingActions,
                    patience,
                    server,
                    source.location(),
                    info));
    deliveries.connect(postbox, server, client);
    order.addWaitingAction(serving);
  }

  /**
   * Opens a container on the I/O ranks. Collective; all ranks pass the same options and sources.
   *
   * @param world the ranks; the shipper does not interfere with other messages on this communicator
   * @throws IllegalArgumentException if the number of I/O ranks does not fit the number of ranks
   * @throws ShipperException on all ranks if an I/O rank fails with anything but an exception of
   *     its engine, or does not answer within the patience
   * @throws RuntimeException on all ranks if the container cannot be opened: the exception of the
   *     engine
   */
  public static Shipper open(Communicator world, ShipperOptions options, ContainerSource source) {
    return open(world, options, source, Patience.ofProperty());
  }

  /** Opens a container with another patience. */
  static Shipper open(
      Communicator world, ShipperOptions options, ContainerSource source, Patience patience) {
    Placement placement = new Placement(world.size(), options.ioRanks(), options.kind());
    CallOrder order = world.callOrder();
    Communicator communicator = world.duplicate();
    List<Container> containers = new ArrayList<>();
    List<Shipper> opened = new ArrayList<>();
    boolean isOpen = false;
    try {
      ContainerInfo info = info(communicator, placement, source);
      OptionalInt server = placement.serverOf(communicator.rank());
      boolean isFirst = server.equals(OptionalInt.of(0));
      Failures.agree(
          communicator,
          () -> {
            if (isFirst) {
              containers.add(source.open(shards(0, placement, info)));
              // A failure to read the mark is reported on all ranks here; the leader reads the mark
              // again later, when messages may be in transit.
              long unused = containers.getFirst().readableMark();
            }
          });
      Failures.agree(
          communicator,
          () -> {
            if (server.isPresent() && !isFirst) {
              containers.add(source.open(shards(server.getAsInt(), placement, info)));
            }
            Optional<Container> own = containers.stream().findFirst();
            opened.add(
                new Shipper(communicator, order, placement, options, patience, source, info, own));
          });
      opened.getFirst().begin();
      isOpen = true;
      return opened.getFirst();
    } finally {
      if (!isOpen) {
        try {
          opened.forEach(Shipper::dismiss);
        } finally {
          containers.forEach(Container::close);
          communicator.close();
          order.close();
        }
      }
    }
  }

  /**
   * Opens a container, runs a program on the compute ranks, and closes the container. Collective.
   *
   * @param program the program of a client
   */
  public static void run(
      Communicator world,
      ShipperOptions options,
      ContainerSource source,
      Consumer<ShipperClient> program) {
    try (Shipper shipper = open(world, options, source)) {
      shipper.client().ifPresent(program);
    }
  }

  private static ContainerInfo info(
      Communicator communicator, Placement placement, ContainerSource source) {
    long[] numbers = new long[4];
    Failures.agree(
        communicator,
        () -> {
          if (communicator.rank() == placement.rankOfServer(0)) {
            ContainerInfo info = source.info();
            UUID id = info.id();
            numbers[0] = id.getMostSignificantBits();
            numbers[1] = id.getLeastSignificantBits();
            numbers[2] = info.version();
            numbers[3] = info.shards();
          }
        });
    // All other ranks contribute zeros.
    long[] known = communicator.allReduce(numbers, Reduction.BIT_OR);
    return new ContainerInfo(new UUID(known[0], known[1]), (int) known[2], (int) known[3]);
  }

  private static Set<Integer> shards(int server, Placement placement, ContainerInfo info) {
    return IntStream.range(0, info.shards())
        .filter(shard -> placement.ownerOf(shard) == server)
        .boxed()
        .collect(Collectors.toUnmodifiableSet());
  }

  /** Waits until all I/O ranks take part in the transactions. */
  private void begin() {
    server.ifPresent(Server::join);
    long start = System.nanoTime();
    Optional<Failure> failure = server.flatMap(Server::failure);
    while (failure.isEmpty() && !(server.map(Server::isOpen).orElse(true) && postbox.isFlushed())) {
      postbox.idle(order.runWaitingActions());
      failure = server.flatMap(Server::failure);
      if (failure.isEmpty() && patience.isExceededSince(start)) {
        String late = "the I/O ranks have not joined within " + patience.text();
        failure =
            Optional.of(Failures.of(postbox.rank(), new ShipperException(postbox.rank(), late)));
      }
    }
    Failures.agree(communicator, failure);
  }

  /** Ends the message exchange of this rank after a failed opening. */
  private void dismiss() {
    release();
    // Other ranks need not receive what this one has sent.
    var unused = postbox.end(new Patience(1));
  }

  /** Stops serving other ranks while this rank waits. */
  private void release() {
    order.removeWaitingAction(serving);
  }

  /** Returns the client of this rank; empty on a rank that only serves. Does not fail. */
  public Optional<ShipperClient> client() {
    return client;
  }

  /**
   * Serves the calls that have arrived, for a rank that computes or has several containers open.
   * Local; does not wait.
   *
   * @throws MpiException if the transport fails
   */
  public void progress() {
    var unused = advance();
  }

  /** Returns whether all clients have left. Local; does not fail. */
  public boolean isStopped() {
    return deliveries.isStopped();
  }

  private boolean advance() {
    boolean any;
    try {
      any = postbox.progress();
    } catch (MpiException e) {
      transport = Optional.of(e);
      Failure failure = Failures.of(postbox.rank(), e);
      client.ifPresent(to -> to.fail(failure));
      server.ifPresent(to -> to.breakDown(e));
      throw e;
    }
    server.ifPresent(Server::progress);
    return any;
  }

  /**
   * Serves until all clients have left. Has no effect on a rank that does not serve. Local, but
   * waits for the clients.
   *
   * @throws MpiException if the transport fails
   */
  public void serve() {
    server.ifPresent(serving -> awaitStop(System.nanoTime()));
  }

  /**
   * Waits until all clients have left. After a failure, or on a rank that does not serve, the wait
   * is limited.
   *
   * @return whether all clients have left
   */
  private boolean awaitStop(long start) {
    long since = start;
    boolean hasFailed = false;
    while (!deliveries.isStopped()) {
      boolean any = order.runWaitingActions();
      postbox.idle(any);
      boolean isFailing = server.flatMap(Server::failure).isPresent();
      if (any || isFailing != hasFailed) {
        since = System.nanoTime();
        hasFailed = isFailing;
      }
      Patience limit = isFailing ? patience : patience.longer();
      if ((server.isEmpty() || isFailing) && limit.isExceededSince(since)) {
        return false;
      }
    }
    return true;
  }

  /**
   * Leaves the container. Calls and requests of this client are executed first; transactions that
   * it has not finished are aborted. Returns when all clients have left and the I/O ranks have
   * closed the container; a rank that serves continues until then. Collective. A second call does
   * nothing.
   *
   * @throws ShipperException if an I/O rank has failed: on this I/O rank, and on each client to
   *     which no operation has reported the failure; or if ranks have not left within the patience
   * @throws MpiException if the transport fails
   */
  @Override
  public void close() {
    if (isClosed) {
      return;
    }
    isClosed = true;
    if (transport.isPresent()) {
      // The failure of the transport has already been reported.
      release();
      server.ifPresent(Server::close);
      order.close();
      return;
    }
    boolean haveAllLeft = false;
    boolean isComplete = false;
    try {
      client.ifPresent(this::leave);
      haveAllLeft = awaitStop(System.nanoTime());
      isComplete = postbox.end(patience) && haveAllLeft;
    } finally {
      release();
      server.ifPresent(Server::close);
    }
    if (haveAllLeft) {
      // All ranks reach this method, even if data sent by this rank has not been received.
      communicator.barrier();
    }
    communicator.close();
    order.close();
    throwFailure(isComplete);
  }

  /**
   * Closes the container on this rank, which has stopped working with the other ranks. If this is
   * an I/O rank, their operations fail from now on: the rank still passes on the cause while it
   * waits for others in the call order of the communicator. Local; afterwards, {@link #close} has
   * no effect.
   *
   * @param cause the reason, for the exceptions of the other ranks
   */
  public void abandon(RuntimeException cause) {
    if (!isClosed) {
      isClosed = true;
      server.ifPresent(serves -> {
        serves.breakDown(cause);
        serves.close();
      });
    }
  }

  private void leave(ShipperClient leaving) {
    leaving.close();
    int number = leaving.number();
    int control = placement.rankOfServer(placement.controlOf(number));
    if (control == postbox.rank()) {
      server.orElseThrow().leave(number);
    } else {
      postbox.send(control, new Message.Leaving(number));
    }
  }

  private void throwFailure(boolean isComplete) {
    Optional<Failure> failure = client.flatMap(ShipperClient::unreported);
    if (client.isEmpty() || client.filter(ShipperClient::hasFailed).isEmpty()) {
      failure = failure.or(() -> server.flatMap(Server::failure));
    }
    failure.ifPresent(known -> {
      throw Failures.rank(known);
    });
    if (!isComplete && client.filter(ShipperClient::hasFailed).isEmpty()) {
      throw new ShipperException(
          postbox.rank(), "other ranks have not left the container within " + patience.text());
    }
  }

  /** Returns the statistics of this rank. Local; does not fail. */
  public ShipperStatistics statistics() {
    return client
        .map(ShipperClient::statistics)
        .orElseGet(() ->
            new ShipperStatistics(
                postbox.messages(),
                postbox.bytes(),
                0,
                0,
                server.map(Server::mostHeld).orElse(0L)));
  }
}
