package io.skerry.iod.connector;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.iod.engine.EngineLocation;
import io.skerry.iod.shipper.Shipper;
import io.skerry.iod.shipper.ShipperException;
import io.skerry.iod.shipper.option.Patience;
import io.skerry.iod.shipper.option.Placement;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.MpiException;
import io.skerry.mpi.Request;
import io.skerry.parallel.FileAccess;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;

/**
 * The service of a rank that does not compute: opens the containers that the compute ranks open,
 * and serves them until the program has ended. Not thread-safe.
 */
final class IoService {
  static final int TAG = 1;

  private static final int LARGEST = 1 << 17;
  private static final int LONGEST_REASON = 10_000;
  private static final long BUSY_NANOS = 2_000_000;
  private static final long SHORT_NAP_NANOS = 20_000;

  private final Communicator world;
  private final Communicator control;
  private final Placement placement;
  private final ContainerSettings settings;
  private final Patience patience = Patience.ofProperty().longer();
  private final MemorySegment buffer = Arena.ofAuto().allocate(LARGEST);
  private final List<Shipper> open = new ArrayList<>();

  /** Containers that are closed on this rank, but whose clients may still need an answer. */
  private final List<Shipper> abandoned = new ArrayList<>();

  private Request next;
  private boolean hasEnded;
  private long active = System.nanoTime();
  private Optional<Throwable> failure = Optional.empty();

  /**
   * A message from compute rank 0.
   *
   * <pre>
   * 0 | access u8 | location    a container is opened
   * 1                           the program has ended
   * 2 | rank u32 | reason       the program has ended, because it failed on a rank
   * </pre>
   */
  sealed interface Message {
    /** The compute ranks open a container. */
    record Open(FileAccess access, EngineLocation location) implements Message {}

    /** The program has ended. */
    record End() implements Message {}

    /** The program has failed on a compute rank; {@code rank} is its number among all ranks. */
    record Failed(int rank, String reason) implements Message {}

    /** Appends the bytes of this message. */
    default ByteWriter encode(ByteWriter out) {
      return switch (this) {
        case Open(FileAccess access, EngineLocation location) ->
            out.u8(0).u8(access.ordinal()).text(location.toString());
        case End() -> out.u8(1);
        case Failed(int rank, String reason) ->
            out.u8(2)
                .u32(rank)
                .text(reason.substring(0, Math.min(reason.length(), LONGEST_REASON)));
      };
    }

    static Message decode(MemorySegment bytes) {
      ByteReader in = ByteReader.of(bytes, "message to an I/O rank");
      int kind = in.u8();
      return switch (kind) {
        case 0 ->
            new Open(FileAccess.values()[in.u8()], EngineLocation.of(in.text(in.remaining())));
        case 1 -> new End();
        case 2 -> new Failed(in.i32(), in.text(in.remaining()));
        default -> throw in.fault("kind", "0 to 2", kind);
      };
    }
  }

  IoService(
      Communicator world, Communicator control, Placement placement, ContainerSettings settings) {
    this.world = world;
    this.control = control;
    this.placement = placement;
    this.settings = settings;
    this.next = receive();
  }

  /**
   * Serves until the program has ended, and all containers are closed.
   *
   * @return the failure of this rank, or of a compute rank
   * @throws MpiException if the transport fails, or a rank that is a thread fails; in either case,
   *     all containers are closed
   */
  Optional<Throwable> run() {
    while (!(hasEnded && open.isEmpty())) {
      try {
        step();
      } catch (MpiException e) {
        abandon(e);
        throw e;
      } catch (RuntimeException | Error e) {
        // The compute ranks wait for answers from this rank, so it must report the failure.
        failure = failure.or(() -> Optional.of(e));
        abandon(e instanceof RuntimeException known ? known : new IllegalStateException(e));
      }
    }
    return failure;
  }

  private void step() {
    boolean any = false;
    if (!hasEnded && next.done()) {
      MemorySegment message = buffer.asSlice(0, next.await().bytes());
      received(Message.decode(message));
      next = hasEnded ? next : receive();
      any = true;
    }
    open.forEach(Shipper::progress);
    abandoned.forEach(Shipper::progress);
    any |= open.removeIf(IoService::isClosed);
    if (any) {
      active = System.nanoTime();
    }
    if (hasEnded && patience.isExceededSince(active)) {
      throw new ShipperException(
          world.rank(),
          "the program has ended, but ranks have not left their containers within "
              + patience.text());
    }
    if (System.nanoTime() - active < BUSY_NANOS) {
      Thread.yield();
    } else {
      LockSupport.parkNanos(SHORT_NAP_NANOS);
    }
  }

  private Request receive() {
    return control.receiveLater(buffer, placement.rankOfClient(0), TAG);
  }

  private void received(Message message) {
    switch (message) {
      case Message.Open(FileAccess access, EngineLocation location) -> open(location, access);
      case Message.End() -> hasEnded = true;
      case Message.Failed(int rank, String reason) -> {
        hasEnded = true;
        throw new ShipperException(rank, reason);
      }
    }
  }

  private void open(EngineLocation location, FileAccess access) {
    try {
      ContainerOpener opener =
          new ContainerOpener(location.scheme(), Path.of(location.path()), settings);
      open.add(opener.ship(access, placement, world));
    } catch (MpiException e) {
      throw e;
    } catch (RuntimeException e) {
      // The exception is thrown on all ranks, and the compute ranks report it.
      return;
    }
  }

  /** Closes a container that all compute ranks have left. */
  private static boolean isClosed(Shipper shipper) {
    if (!shipper.isStopped()) {
      return false;
    }
    try {
      shipper.close();
    } catch (MpiException e) {
      throw e;
    } catch (RuntimeException e) {
      // The compute ranks were notified of the failure, and report it.
      return true;
    }
    return true;
  }

  /** Closes all containers on this rank without the other ranks. */
  private void abandon(RuntimeException cause) {
    for (Shipper shipper : open) {
      try {
        shipper.abandon(cause);
      } catch (RuntimeException e) {
        cause.addSuppressed(e);
      }
    }
    abandoned.addAll(open);
    open.clear();
  }
}
