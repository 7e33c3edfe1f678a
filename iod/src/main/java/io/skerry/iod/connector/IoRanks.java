package io.skerry.iod.connector;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.iod.shipper.Shipper;
import io.skerry.iod.shipper.option.Placement;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.Request;
import io.skerry.parallel.FileAccess;
import io.skerry.spi.Connector;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;

/**
 * Ranks that only serve the containers of the other ranks, which compute. Compute rank 0 notifies
 * the I/O ranks of each container that the compute ranks open, and of the end.
 *
 * <pre>
 * message   kind u8 (0 end, 1 open) | access u8 | path
 * </pre>
 */
public final class IoRanks {
  private static final int TAG = 1;
  private static final int END = 0;
  private static final int OPEN = 1;
  private static final int LARGEST = 1 << 16;

  private static final long BUSY_NANOS = 2_000_000;
  private static final long SHORT_NAP_NANOS = 20_000;

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
   * program has ended on compute rank 0 and all its containers are closed. Collective.
   *
   * @param world the ranks
   * @param settings the properties of containers; {@link ContainerSettings#ioRanks} has no effect
   * @param number the number of I/O ranks, at least 1 and less than the number of ranks
   * @param kind the choice of the I/O ranks, not {@link Placement.Kind#SHARED}
   * @param program receives the communicator of the compute ranks, and the connector for their
   *     files
   * @throws IllegalArgumentException if the number or the choice is not permitted
   */
  public static void run(
      Communicator world,
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
    try (Communicator control = world.duplicate();
        Communicator part = world.split(serves ? 1 : 0, world.rank())) {
      IoRanks ranks = new IoRanks(world, control, placement);
      if (serves) {
        ranks.serve(new ContainerOpener(Path.of(""), settings));
      } else {
        try {
          program.accept(part, new IodConnector(settings, ranks));
        } finally {
          ranks.send(ByteWriter.create().u8(END));
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
  void open(Path path, FileAccess access) {
    send(ByteWriter.create().u8(OPEN).u8(access.ordinal()).text(path.toAbsolutePath().toString()));
  }

  private void send(ByteWriter message) {
    if (world.rank() == placement.rankOfClient(0)) {
      for (int server = 0; server < placement.ioRanks(); server++) {
        control.send(message.written(), placement.rankOfServer(server), TAG);
      }
    }
  }

  /** Serves until the program has ended, and all containers are closed. */
  private void serve(ContainerOpener opener) {
    List<Shipper> open = new ArrayList<>();
    MemorySegment buffer = Arena.ofAuto().allocate(LARGEST);
    Request next = receive(buffer);
    boolean hasEnded = false;
    long active = System.nanoTime();
    while (!hasEnded || !open.isEmpty()) {
      boolean any = false;
      if (!hasEnded && next.done()) {
        MemorySegment message = buffer.asSlice(0, next.await().bytes());
        hasEnded = !opened(message, opener, open);
        next = hasEnded ? next : receive(buffer);
        any = true;
      }
      open.forEach(Shipper::progress);
      any |= open.removeIf(IoRanks::isClosed);
      if (any) {
        active = System.nanoTime();
      }
      if (System.nanoTime() - active < BUSY_NANOS) {
        Thread.yield();
      } else {
        LockSupport.parkNanos(SHORT_NAP_NANOS);
      }
    }
  }

  private Request receive(MemorySegment buffer) {
    return control.receiveLater(buffer, placement.rankOfClient(0), TAG);
  }

  /** Executes a message; returns whether the service goes on. */
  private boolean opened(MemorySegment message, ContainerOpener opener, List<Shipper> open) {
    ByteReader in = ByteReader.of(message, "message to an I/O rank");
    if (in.u8() == END) {
      return false;
    }
    FileAccess access = FileAccess.values()[in.u8()];
    Path path = Path.of(in.text(in.remaining()));
    try {
      open.add(new ContainerOpener(path, opener.settings()).ship(access, placement, world));
    } catch (RuntimeException e) {
      // All ranks have the exception, and the compute ranks report it.
      return true;
    }
    return true;
  }

  /** Closes a container that all compute ranks have left. */
  private static boolean isClosed(Shipper shipper) {
    if (!shipper.isStopped()) {
      return false;
    }
    try {
      shipper.close();
    } catch (RuntimeException e) {
      // The compute ranks were notified of the failure, and report it.
      return true;
    }
    return true;
  }
}
