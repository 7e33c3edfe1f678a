package io.skerry.iod.connector.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.collective.step.LocalStatus;
import io.skerry.iod.connector.tile.CellTiles;
import io.skerry.iod.engine.Container;
import io.skerry.iod.engine.Durability;
import io.skerry.iod.engine.EngineException;
import io.skerry.iod.engine.EngineLocation;
import io.skerry.iod.engine.Engines;
import io.skerry.iod.engine.Opening;
import io.skerry.iod.engine.Place;
import io.skerry.iod.object.ChecksumLevel;
import io.skerry.iod.object.ObjectId;
import io.skerry.iod.object.ObjectType;
import io.skerry.iod.object.ShardMap;
import io.skerry.iod.shipper.ContainerSource;
import io.skerry.iod.shipper.Faulty;
import io.skerry.iod.shipper.Shipper;
import io.skerry.iod.shipper.ShipperException;
import io.skerry.iod.shipper.option.Placement;
import io.skerry.iod.shipper.option.ShipperOptions;
import io.skerry.iod.transaction.Conflicts;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.LocalRanks;
import io.skerry.parallel.CollectiveException;
import io.skerry.parallel.CommitException;
import io.skerry.parallel.FileAccess;
import io.skerry.parallel.Operation;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Failures of the engine on one of several ranks. */
class SharedFaultsTest {
  private static final int RANKS = 3;

  /** The rank that serves the shard that fails. */
  private static final int FAILING = 1;

  @TempDir Path folder;

  private final AtomicReference<String> fault = new AtomicReference<>("");

  private EngineLocation location() {
    return new EngineLocation("iod", folder.resolve("c").toString());
  }

  private void create() {
    var unused = Engines.of(location()).create(location(), RANKS);
    try (Container container = Engines.of(location()).open(location(), Opening.writing())) {
      LocalStore.createRoot(container, ChecksumLevel.STORE);
    }
  }

  private void fail(int shard, String method) {
    if (shard == FAILING && method.equals(fault.get())) {
      throw Faulty.engine(EngineException.Fault.INPUT_OUTPUT, shard);
    }
  }

  private Session open(Communicator world) {
    FileRanks ranks = FileRanks.open(world, Operation.OPEN_FILE, "c", "");
    ShipperOptions options =
        ShipperOptions.DEFAULT
            .with(RANKS, Placement.Kind.SHARED)
            .with(Conflicts.UNDEFINED, Durability.BUFFERED);
    ContainerSource source = ContainerSource.of(location(), Opening.writing());
    Shipper shipper = Shipper.open(world, options, new Faulty(source, this::fail));
    TileOwners owners =
        new TileOwners(new Placement(RANKS, RANKS, Placement.Kind.SHARED), new ShardMap(RANKS));
    ContainerStore store =
        ShippedStore.writing(ranks, shipper, ChecksumLevel.STORE, () -> 0, owners);
    ranks.leave();
    return new Session(Path.of("c"), FileAccess.WRITE, store, ranks, new CellTiles());
  }

  private static Place.Tile tile(long number) {
    return new Place.Tile(ObjectId.of(ObjectType.ARRAY, 77).bits(), number);
  }

  private static void write(Session session, long first) {
    int unused =
        session.change(
            Operation.WRITE,
            "tiles",
            "",
            step -> {
              for (long number = first; number < first + 2 * RANKS; number++) {
                if (step.owns(tile(number))) {
                  step.changes().put(tile(number), MemorySegment.ofArray(new byte[100]));
                }
              }
              return 1;
            });
  }

  private static int read(Session session) {
    return session.read(
        Operation.READ,
        "tiles",
        values -> {
          int found = 0;
          for (long number = 0; number < 2 * RANKS; number++) {
            found +=
                values
                        .get(
                            tile(number),
                            (bytes, _) -> MemorySegment.ofArray(new byte[(int) bytes]))
                        .isPresent()
                    ? 1
                    : 0;
          }
          return found;
        });
  }

  /** Runs a program of all ranks on a session, and closes it without a new failure. */
  private void onRanks(BiConsumer<Communicator, Session> program) throws Exception {
    create();
    LocalRanks.run(
        RANKS,
        world -> {
          Session session = open(world);
          program.accept(world, session);
          new LocalStatus().attempt(session::discard);
          world.barrier();
        });
    fault.set("");
    LocalRanks.run(
        RANKS,
        world -> {
          Session session = open(world);
          assertEquals(2 * RANKS, read(session));
          session.close();
        });
  }

  private static void assertNames(RuntimeException e) {
    assertTrue(
        String.valueOf(e.getMessage()).contains("rank=" + FAILING)
            || String.valueOf(e.getMessage()).contains("shard=" + FAILING),
        String.valueOf(e.getMessage()));
  }

  private void failAtFlush(String method) throws Exception {
    onRanks((world, session) -> {
      write(session, 0);
      session.flush();
      write(session, 100);
      world.barrier();
      fault.set(method);
      world.barrier();
      assertNames(assertThrows(CommitException.class, session::flush));
      assertThrows(IllegalStateException.class, () -> read(session));
      assertThrows(IllegalStateException.class, session::flush);
    });
  }

  @Test
  void a_failed_preparation_on_one_rank_is_a_failed_commit_on_all() throws Exception {
    failAtFlush("Changes.prepare");
  }

  @Test
  void a_failed_sync_on_one_rank_is_a_failed_commit_on_all() throws Exception {
    failAtFlush("Shard.persist");
  }

  @Test
  void a_failed_read_on_one_rank_is_a_collective_failure_on_all() throws Exception {
    onRanks((world, session) -> {
      write(session, 0);
      session.flush();
      world.barrier();
      fault.set("Shard.get");
      world.barrier();
      assertNames(assertThrows(CollectiveException.class, () -> read(session)));
    });
  }

  @Test
  void a_failed_change_on_one_rank_is_a_collective_failure_on_all() throws Exception {
    onRanks((world, session) -> {
      write(session, 0);
      session.flush();
      world.barrier();
      fault.set("Changes.put");
      world.barrier();
      assertNames(assertThrows(CollectiveException.class, () -> write(session, 100)));
      // The rank whose storage has failed cannot undo its part.
      assertThrows(IllegalStateException.class, session::flush);
    });
  }

  @Test
  void a_failed_change_that_one_rank_makes_alone_is_a_failed_commit_on_all() throws Exception {
    onRanks((world, session) -> {
      write(session, 0);
      session.flush();
      world.barrier();
      fault.set("Changes.put");
      world.barrier();
      if (world.rank() == 0) {
        assertNames(assertThrows(ShipperException.class, () -> changeAlone(session)));
        var refusal = assertThrows(IllegalStateException.class, () -> changeAlone(session));
        assertTrue(
            String.valueOf(refusal.getMessage()).contains("can only be closed"),
            refusal.getMessage());
      }
      assertNames(assertThrows(CommitException.class, session::flush));
      assertThrows(IllegalStateException.class, session::flush);
    });
  }

  /** Stores tiles of all shards on this rank only, and waits until the I/O ranks have them. */
  private static void changeAlone(Session session) {
    long unused =
        session.changeHere(
            Operation.WRITE,
            "tiles",
            changes -> {
              for (long number = 100; number < 100 + 2 * RANKS; number++) {
                changes.put(tile(number), MemorySegment.ofArray(new byte[100]));
              }
              // A read waits for the changes in its shard.
              long bytes = 0;
              for (long number = 100; number < 100 + 2 * RANKS; number++) {
                bytes += changes.size(tile(number)).orElseThrow();
              }
              return bytes;
            });
  }

  /** Stores a tile on this rank only, and fails for a reason of its own. */
  private static void failInPart(Session session) {
    boolean unused =
        session.changeHere(
            Operation.WRITE,
            "tiles",
            changes -> {
              changes.put(tile(100), MemorySegment.ofArray(new byte[100]));
              throw new OutOfMemoryError("a failure after the first value");
            });
  }

  @Test
  void a_change_of_one_rank_that_fails_in_part_is_a_failed_commit_on_all() throws Exception {
    onRanks((world, session) -> {
      write(session, 0);
      session.flush();
      if (world.rank() == 0) {
        assertThrows(OutOfMemoryError.class, () -> failInPart(session));
        assertThrows(IllegalStateException.class, () -> changeAlone(session));
      }
      assertThrows(CommitException.class, session::flush);
    });
  }

  @Test
  void a_change_of_one_rank_that_fails_before_its_first_value_has_no_effect() throws Exception {
    onRanks((world, session) -> {
      write(session, 0);
      assertThrows(
          IllegalArgumentException.class,
          () -> {
            boolean unused =
                session.changeHere(
                    Operation.WRITE,
                    "tiles",
                    _ -> {
                      throw new IllegalArgumentException("a failure of a check");
                    });
          });
      session.flush();
    });
  }

  @Test
  void a_step_that_fails_on_one_rank_is_undone_on_all() throws Exception {
    onRanks((world, session) -> {
      write(session, 0);
      assertThrows(
          CollectiveException.class,
          () -> {
            int unused =
                session.change(
                    Operation.WRITE,
                    "tiles",
                    "",
                    step -> {
                      for (long number = 0; number < 4 * RANKS; number++) {
                        if (step.owns(tile(number))) {
                          step.changes().put(tile(number), MemorySegment.ofArray(new byte[50]));
                        }
                      }
                      if (world.rank() == 2) {
                        throw new IllegalArgumentException("a failure after the changes");
                      }
                      return 1;
                    });
          });
      long bytes =
          session.read(
              Operation.READ,
              "tiles",
              values -> {
                long sum = 0;
                for (long number = 0; number < 4 * RANKS; number++) {
                  sum += values.size(tile(number)).orElse(0);
                }
                return sum;
              });
      assertEquals(2 * RANKS * 100, bytes);
      session.flush();
    });
  }
}
