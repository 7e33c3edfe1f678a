package io.skerry.iod.connector;

import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.iod.engine.EngineLocation;
import io.skerry.iod.shipper.ShipperException;
import io.skerry.iod.shipper.option.Placement;
import io.skerry.mpi.AgreedFailure;
import io.skerry.mpi.CallMismatchException;
import io.skerry.mpi.CallOrder;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.MpiException;
import io.skerry.parallel.FileAccess;
import io.skerry.spi.Connector;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.function.BiConsumer;

/**
 * Ranks that only serve the containers of the other ranks, which compute. Compute rank 0 notifies
 * the I/O ranks of each container that the compute ranks open, and of the end of the program.
 *
 * <p>If the program fails on a compute rank, the other compute ranks cannot complete their
 * operations without it. An operation in which they wait for it therefore fails with an exception
 * that names the rank. When the program has ended on all compute ranks, the I/O ranks close the
 * containers that are still open, and discard the changes since the last flush.
 */
public final class IoRanks {
  /** The call in which the compute ranks meet after the program. */
  private static final CallOrder.Call PROGRAM_END = CallOrder.Call.of("end of the program", "", "");

  private final Communicator world;
  private final Communicator control;
  private final Placement placement;

  private IoRanks(Communicator world, Communicator control, Placement placement) {
    this.world = world;
    this.control = control;
    this.placement = placement;
  }

  /**
   * Runs a program on the compute ranks, while the I/O ranks serve. Returns on all ranks when the
   * program has ended on all compute ranks and all its containers are closed. Collective.
   *
   * @param world the ranks
   * @param settings the properties of containers; {@link ContainerSettings#ioRanks} has no effect
   * @param number the number of I/O ranks, at least 1 and less than the number of ranks
   * @param kind the choice of the I/O ranks, not {@link Placement.Kind#SHARED}
   * @param program receives the communicator of the compute ranks, and the connector for their
   *     files
   * @throws IllegalArgumentException if the number or the choice is not permitted
   * @throws ShipperException on all ranks where nothing else has failed, if the program has failed
   *     on a compute rank; the exception names the rank. Also on an I/O rank whose service fails,
   *     or if compute ranks leave a container open
   * @throws RuntimeException the exception of the program on this rank
   */
  public static void run(
      Communicator world,
      ContainerSettings settings,
      int number,
      Placement.Kind kind,
      BiConsumer<Communicator, Connector> program) {
    run(world, "iod", settings, number, kind, program);
  }

  /**
   * Runs a program on the compute ranks with containers of another engine, as {@link #run(
   * Communicator, ContainerSettings, int, Placement.Kind, BiConsumer)} does.
   *
   * @param scheme the scheme of the engine
   */
  public static void run(
      Communicator world,
      String scheme,
      ContainerSettings settings,
      int number,
      Placement.Kind kind,
      BiConsumer<Communicator, Connector> program) {
    Placement placement = new Placement(world.size(), number, kind);
    if (kind == Placement.Kind.SHARED) {
      throw new IllegalArgumentException(
          "choice of ranks that only serve: expected=LAST or EVERY_KTH actual=" + kind);
    }
    boolean serves = placement.serverOf(world.rank()).isPresent();
    Communicator control = world.duplicate();
    Communicator part = world.split(serves ? 1 : 0, world.rank());
    IoRanks ranks = new IoRanks(world, control, placement);
    // If a rank can no longer reach the others, nothing is closed: closing needs all ranks.
    Optional<Throwable> failure =
        serves
            ? new IoService(world, control, placement, settings).run()
            : ranks.compute(part, new IodConnector(scheme, settings, ranks), program);
    // If ranks are threads, one that throws an exception disturbs others that still communicate.
    world.barrier();
    part.close();
    control.close();
    failure.ifPresent(IoRanks::raise);
  }

  private static void raise(Throwable failure) {
    switch (failure) {
      case RuntimeException e -> throw e;
      case Error e -> throw e;
      default -> throw new IllegalStateException(failure);
    }
  }

  /** Runs the program; returns its failure on this rank, or on another one. */
  private Optional<Throwable> compute(
      Communicator part, Connector connector, BiConsumer<Communicator, Connector> program) {
    Optional<Throwable> own = Optional.empty();
    try {
      program.accept(part, connector);
    } catch (RuntimeException | Error e) {
      own = Optional.of(e);
    }
    Optional<ShipperException> first;
    try {
      first = firstFailure(part, own);
    } catch (RuntimeException e) {
      // The other ranks cannot be reached, for example because the transport has failed.
      own.ifPresent(e::addSuppressed);
      throw e;
    }
    IoService.Message end =
        first
            .<IoService.Message>map(e -> new IoService.Message.Failed(e.rank(), e.reason()))
            .orElseGet(IoService.Message.End::new);
    send(end);
    if (own.isPresent() && first.filter(e -> e.rank() != world.rank()).isPresent()) {
      own.get().addSuppressed(first.get());
    }
    return own.isPresent() ? own : first.map(e -> e);
  }

  /**
   * Waits until the program has ended on all compute ranks, and returns the failure of the first
   * one on which it has failed for a reason of its own. An operation in which another rank waits
   * for this one fails meanwhile.
   */
  private Optional<ShipperException> firstFailure(Communicator part, Optional<Throwable> own) {
    long mine = (long) part.size() - part.rank();
    boolean isOwn = own.filter(IoRanks::isCause).isPresent();
    long[] found = met(part, isOwn ? mine : 0, own.isPresent() ? mine : 0);
    long lowest = found[0] > 0 ? found[0] : found[1];
    if (lowest == 0) {
      return Optional.empty();
    }
    int rank = (int) (part.size() - lowest);
    String text = own.map(Throwable::toString).orElse("");
    byte[] reason = part.broadcast(text.getBytes(StandardCharsets.UTF_8), rank);
    return Optional.of(
        new ShipperException(
            placement.rankOfClient(rank),
            "the program failed: " + new String(reason, StandardCharsets.UTF_8)));
  }

  /** Returns whether a failure of the program is not the consequence of a failure elsewhere. */
  private static boolean isCause(Throwable failure) {
    return !(failure instanceof AgreedFailure) && !(failure instanceof MpiException);
  }

  private static long[] met(Communicator part, long... words) {
    try (CallOrder order = part.callOrder()) {
      while (true) {
        try {
          return order.agree(PROGRAM_END, words);
        } catch (CallMismatchException e) {
          // Another rank was in an operation, which has failed there.
          if (e.gravest() == CallOrder.Call.Kind.LEAVING) {
            throw e;
          }
        }
      }
    }
  }

  Placement placement() {
    return placement;
  }

  Communicator world() {
    return world;
  }

  /** Notifies the I/O ranks that the compute ranks open a container. Local, on compute rank 0. */
  void open(EngineLocation location, FileAccess access) {
    send(new IoService.Message.Open(access, location));
  }

  private void send(IoService.Message message) {
    if (world.rank() == placement.rankOfClient(0)) {
      for (int server = 0; server < placement.ioRanks(); server++) {
        control.send(
            message.encode(ByteWriter.create()).written(),
            placement.rankOfServer(server),
            IoService.TAG);
      }
    }
  }
}
