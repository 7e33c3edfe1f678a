package io.skerry.iod.shipper;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.iod.engine.ContainerException;
import io.skerry.iod.engine.Durability;
import io.skerry.iod.engine.EngineException;
import io.skerry.iod.engine.EngineLocation;
import io.skerry.iod.engine.Engines;
import io.skerry.iod.engine.Opening;
import io.skerry.iod.shipper.option.Placement;
import io.skerry.iod.shipper.option.ShipperOptions;
import io.skerry.iod.transaction.Conflicts;
import io.skerry.iod.transaction.TransactionException;
import io.skerry.iod.transaction.VersionChoice;
import io.skerry.mpi.Communicator;
import io.skerry.testkit.ranked.RankedCase;
import io.skerry.testkit.ranked.RankedCases;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Cases of the shipper for real MPI jobs of 2 ranks or more on one file system:
 *
 * <pre>mpirun -n 4 java ... io.skerry.testkit.ranked.RankedSuite io.skerry.iod.shipper.ShipperCases
 * </pre>
 */
public final class ShipperCases implements RankedCases {
  private static final int SHARDS = 5;

  /** Creates the suite. */
  public ShipperCases() {}

  @Override
  public List<RankedCase> cases() {
    var cases = new ArrayList<RankedCase>();
    for (var kind : Placement.Kind.values()) {
      for (int ioRanks = 1; ioRanks <= 3; ioRanks++) {
        for (int inline : new int[] {64, 32 << 10}) {
          int number = ioRanks;
          cases.add(
              named(
                  "program_%s_%d_%d".formatted(kind, ioRanks, inline),
                  (world, location) -> program(world, location, number, kind, inline)));
        }
      }
    }
    cases.add(named("large_values", ShipperCases::largeValues));
    cases.add(named("failing_storage", ShipperCases::failingStorage));
    cases.add(named("client_that_leaves", ShipperCases::clientThatLeaves));
    cases.add(named("missing_container", ShipperCases::missingContainer));
    return cases;
  }

  private static ShipperOptions options(int ioRanks, Placement.Kind kind) {
    return ShipperOptions.DEFAULT.with(ioRanks, kind).with(Conflicts.REFUSED, Durability.BUFFERED);
  }

  private static EngineLocation folder(Communicator world) throws IOException {
    byte[] path = new byte[0];
    if (world.rank() == 0) {
      var folder = Files.createTempDirectory("shipper");
      path = folder.resolve("c").toString().getBytes(StandardCharsets.UTF_8);
    }
    return new EngineLocation("iod", new String(world.broadcast(path, 0), StandardCharsets.UTF_8));
  }

  /** Runs a case, and removes its container. */
  private static RankedCase named(String name, ContainerCase body) {
    return new RankedCase(
        name,
        world -> {
          var location = folder(world);
          body.run(world, location);
          world.barrier();
          if (world.rank() == 0) {
            if (Files.exists(Path.of(location.path()))) {
              Engines.of(location).remove(location);
            }
            Files.delete(Path.of(location.path()).getParent());
          }
        });
  }

  /** A case with the location of a container that does not exist yet. */
  @FunctionalInterface
  private interface ContainerCase {
    void run(Communicator world, EngineLocation location);
  }

  private static Setting created(
      Communicator world, EngineLocation location, ShipperOptions options) {
    if (world.rank() == 0) {
      var unused = Engines.of(location).create(location, SHARDS);
    }
    world.barrier();
    return new Setting(location, SHARDS, options, Duration.ofSeconds(20));
  }

  private static void program(
      Communicator world, EngineLocation location, int ioRanks, Placement.Kind kind, int inline) {
    int most = kind == Placement.Kind.SHARED ? world.size() : world.size() - 1;
    if (ioRanks > most) {
      return;
    }
    var setting =
        created(world, location, options(ioRanks, kind).withLimits(3, 2000, inline, 3000));
    try (var shipper = setting.open(world, setting.source())) {
      shipper.client().ifPresent(client -> SharedProgram.run(setting, client, ioRanks));
    }
  }

  private static void largeValues(Communicator world, EngineLocation location) {
    var setting = created(world, location, options(1, Placement.Kind.LAST));
    try (var shipper = setting.open(world, setting.source())) {
      shipper.client().ifPresent(client -> largeValues(setting, client));
    }
  }

  private static void largeValues(Setting setting, ShipperClient client) {
    int size = 4 << 20;
    var ticket = client.transactions().start(1, client.clients());
    try (var arena = Arena.ofConfined()) {
      for (int n = 0; n < 8; n++) {
        var place = Setting.tile(100L * client.number() + n);
        var value = arena.allocate(size).fill((byte) (client.number() * 8 + n));
        var changes = client.changing(ticket).shard(setting.shardOf(place)).change(ticket.number());
        changes.put(place, value);
        // The memory belongs to the caller again.
        value.fill((byte) 99);
        changes.prepare(Durability.BUFFERED);
      }
      client.transactions().finish(ticket);
      client.transactions().awaitReadable(ticket);
      var context = client.transactions().acquire(VersionChoice.LAST, 0);
      for (int n = 0; n < 8; n++) {
        int other = (client.number() + 1) % client.clients();
        var place = Setting.tile(100L * other + n);
        var found =
            client
                .at(context)
                .shard(setting.shardOf(place))
                .get(place, context.transaction(), arena)
                .orElseThrow();
        assertEquals(-1, found.mismatch(arena.allocate(size).fill((byte) (other * 8 + n))));
      }
    }
  }

  private static void failingStorage(Communicator world, EngineLocation location) {
    int ioRanks = world.size() > 2 ? 2 : 1;
    var setting = created(world, location, options(ioRanks, Placement.Kind.LAST));
    var calls = new AtomicInteger();
    var source =
        new Faulty(
            setting.source(),
            (shard, method) -> {
              if (shard == 0 && method.equals("Changes.put") && calls.incrementAndGet() > 5) {
                throw Faulty.engine(EngineException.Fault.INPUT_OUTPUT, shard);
              }
            });
    var shipper = setting.open(world, source);
    int failing = world.size() - ioRanks;
    if (shipper.client().isEmpty()) {
      assertEquals(failing, assertThrows(ShipperException.class, shipper::close).rank());
      return;
    }
    var client = shipper.client().get();
    long start = System.nanoTime();
    var e = ShipperFailureTest.failed(setting, client);
    assertEquals(failing, e.rank(), e.getMessage());
    assertTrue(e.getMessage().contains("injected"), e.getMessage());
    assertTrue(System.nanoTime() - start < Duration.ofSeconds(20).toNanos());
    shipper.close();
  }

  private static void clientThatLeaves(Communicator world, EngineLocation location) {
    var setting = created(world, location, options(1, Placement.Kind.SHARED));
    try (var shipper = setting.open(world, setting.source())) {
      var client = shipper.client().orElseThrow();
      if (client.number() == 1) {
        var ticket = client.transactions().start(1, client.clients());
        setting.put(client, ticket, Setting.tile(1), "lost");
        return;
      }
      assertThrows(
          TransactionException.class,
          () -> {
            var ticket = client.transactions().start(1, client.clients());
            client.transactions().finish(ticket);
            client.transactions().awaitReadable(ticket);
          });
      assertEquals(Optional.empty(), setting.get(client, Setting.tile(1)));
    }
  }

  private static void missingContainer(Communicator world, EngineLocation location) {
    var source = ContainerSource.of(location, Opening.writing());
    var e =
        assertThrows(
            ContainerException.class,
            () -> Shipper.open(world, options(1, Placement.Kind.LAST), source));
    assertEquals(ContainerException.Reason.MISSING, e.reason());
  }
}
