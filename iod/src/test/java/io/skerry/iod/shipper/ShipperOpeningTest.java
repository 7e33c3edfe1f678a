package io.skerry.iod.shipper;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.exception.FormatException;
import io.skerry.iod.engine.Container;
import io.skerry.iod.engine.ContainerException;
import io.skerry.iod.engine.ContainerInfo;
import io.skerry.iod.engine.EngineException;
import io.skerry.iod.engine.EngineLocation;
import io.skerry.iod.engine.Opening;
import io.skerry.iod.shipper.option.Placement;
import io.skerry.iod.shipper.option.ShipperOptions;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.LocalRanks;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Failures while a container is opened. */
@Timeout(60)
class ShipperOpeningTest {
  private static final int RANKS = 4;

  @TempDir Path folder;

  /** Runs a program, which must end on all ranks. */
  private static void onAllRanks(Consumer<Communicator> program) {
    var count = new AtomicInteger();
    LocalRanks.run(
        RANKS,
        world -> {
          program.accept(world);
          count.incrementAndGet();
        });
    assertEquals(RANKS, count.get());
  }

  @ParameterizedTest
  @EnumSource
  void a_container_that_cannot_be_opened_is_reported_on_all_ranks(Placement.Kind kind) {
    var missing = new EngineLocation("iod", folder.resolve("missing").toString());
    onAllRanks(world -> {
      var source = ContainerSource.of(missing, Opening.writing());
      var options = ShipperOptions.DEFAULT.with(2, kind);
      var e = assertThrows(ContainerException.class, () -> Shipper.open(world, options, source));
      assertEquals(ContainerException.Reason.MISSING, e.reason());
      assertTrue(e.getCause() instanceof ShipperException, String.valueOf(e.getCause()));
    });
  }

  @Test
  void an_error_while_a_container_is_opened_is_reported_on_all_ranks() {
    var setting = ShipperFailureTest.setting(folder, 2, Placement.Kind.LAST);
    onAllRanks(world -> {
      var source =
          new Faulty(
              setting.source(),
              (_, method) -> {
                if (world.rank() == 3 && method.equals("ContainerSource.open")) {
                  throw new OutOfMemoryError("injected");
                }
              });
      var e = assertThrows(ShipperException.class, () -> setting.open(world, source));
      assertEquals(3, e.rank(), e.getMessage());
      assertTrue(e.getMessage().contains("injected"), e.getMessage());
    });
  }

  @Test
  void a_shard_that_cannot_be_recovered_is_reported_on_all_ranks() {
    var setting = ShipperFailureTest.setting(folder, 2, Placement.Kind.LAST);
    onAllRanks(world -> {
      var source =
          new Faulty(
              setting.source(),
              (shard, method) -> {
                if (shard == 1 && method.equals("Shard.recover")) {
                  throw Faulty.engine(EngineException.Fault.INPUT_OUTPUT, shard);
                }
              });
      var e = assertThrows(ShipperException.class, () -> setting.open(world, source));
      assertEquals(3, e.rank(), e.getMessage());
      assertTrue(e.getMessage().contains("injected"), e.getMessage());
    });
  }

  @ParameterizedTest
  @EnumSource
  void a_readable_mark_that_cannot_be_read_is_reported_on_all_ranks(Placement.Kind kind) {
    var setting = ShipperFailureTest.setting(folder, 2, kind).patient(ShipperFailureTest.SHORT);
    onAllRanks(world -> {
      var source =
          new Faulty(
              setting.source(),
              (_, method) -> {
                if (method.equals("Container.readableMark")) {
                  throw new FormatException("number of a transaction", "8 bytes", "4 bytes");
                }
              });
      var e = assertThrows(FormatException.class, () -> setting.open(world, source));
      assertTrue(e.getMessage().contains("actual=4 bytes"), e.getMessage());
    });
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void an_error_of_one_io_rank_at_the_opening_is_reported_on_all_ranks(int failing) {
    var setting =
        ShipperFailureTest.setting(folder, 2, Placement.Kind.SHARED)
            .patient(ShipperFailureTest.SHORT);
    onAllRanks(world -> {
      var source =
          new Opened(
              setting.source(),
              shards -> {
                if (shards.contains(failing)) {
                  throw new NoClassDefFoundError("injected");
                }
              });
      var e = assertThrows(ShipperException.class, () -> setting.open(world, source));
      assertTrue(e.getMessage().contains("injected"), e.getMessage());
    });
  }

  @Test
  void io_rank_0_opens_its_shards_before_the_others() {
    var setting = ShipperFailureTest.setting(folder, 3, Placement.Kind.LAST);
    var opened = new ConcurrentLinkedQueue<Integer>();
    LocalRanks.run(
        4,
        world -> {
          var source =
              new Opened(
                  setting.source(),
                  shards -> {
                    if (shards.contains(0)) {
                      LockSupport.parkNanos(Duration.ofMillis(300).toNanos());
                    }
                    opened.add(Collections.min(shards));
                  });
          setting.open(world, source).close();
        });
    assertEquals(3, opened.size());
    assertEquals(0, opened.element());
  }

  /** A source that calls an action before it opens shards. */
  private record Opened(ContainerSource source, Consumer<Set<Integer>> action)
      implements ContainerSource {
    @Override
    public EngineLocation location() {
      return source.location();
    }

    @Override
    public ContainerInfo info() {
      return source.info();
    }

    @Override
    public Container open(Set<Integer> shards) {
      action.accept(shards);
      return source.open(shards);
    }
  }
}
