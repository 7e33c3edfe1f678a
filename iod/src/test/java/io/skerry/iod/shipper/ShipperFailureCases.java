package io.skerry.iod.shipper;

import io.skerry.iod.engine.EngineException;
import io.skerry.iod.engine.EngineLocation;
import io.skerry.iod.shipper.option.Placement;
import io.skerry.iod.shipper.option.ShipperOptions;
import io.skerry.mpi.Communicator;
import io.skerry.testkit.ranked.Expect;
import io.skerry.testkit.ranked.RankedCase;
import io.skerry.testkit.ranked.RankedCases;
import io.skerry.testkit.ranked.SharedFolder;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;

/** Failures of the storage of the last rank, which serves the odd shards, on at least 4 ranks. */
public final class ShipperFailureCases implements RankedCases {
  private static final int SHARDS = 4;

  /** Creates the suite. */
  public ShipperFailureCases() {}

  @Override
  public List<RankedCase> cases() {
    return List.of(
        new RankedCase(
            "a_failing_storage_is_named_on_all_clients",
            world ->
                fail(
                    world,
                    shard -> {
                      throw Faulty.engine(EngineException.Fault.INPUT_OUTPUT, shard);
                    })),
        new RankedCase(
            "an_error_in_the_loop_of_an_io_rank_is_named_on_all_clients",
            world ->
                fail(
                    world,
                    _ -> {
                      throw new OutOfMemoryError("injected");
                    })));
  }

  /** A failure of a shard. */
  @FunctionalInterface
  private interface Fault {
    void in(int shard);
  }

  private static void fail(Communicator world, Fault fault) throws Exception {
    try (SharedFolder folder = SharedFolder.create(world)) {
      ShipperOptions options =
          ShipperOptions.DEFAULT.with(2, Placement.Kind.LAST).withLimits(8, 1 << 20, 512, 1 << 20);
      if (world.rank() == 0) {
        Setting unused = Setting.created(folder.path(), SHARDS, options);
      }
      world.barrier();
      EngineLocation location = new EngineLocation("iod", folder.file("c").toString());
      Setting setting = new Setting(location, SHARDS, options, Duration.ofSeconds(20));
      AtomicInteger calls = new AtomicInteger();
      BiConsumer<Integer, String> faults =
          (shard, method) -> {
            if (shard == 1 && method.equals("Changes.put") && calls.incrementAndGet() > 5) {
              fault.in(shard);
            }
          };
      long start = System.nanoTime();
      Shipper shipper = setting.open(world, new Faulty(setting.source(), faults));
      int failing = world.size() - 1;
      if (shipper.client().isPresent()) {
        ShipperException e = ShipperFailureTest.failed(setting, shipper.client().get());
        Expect.equal(failing, e.rank(), String.valueOf(e));
        Expect.that(String.valueOf(e.getMessage()).contains("injected"), String.valueOf(e));
        shipper.close();
      } else {
        ShipperException e =
            Expect.thrown(ShipperException.class, shipper::close, "the failure of an I/O rank");
        Expect.equal(failing, e.rank(), String.valueOf(e));
      }
      Expect.that(
          System.nanoTime() - start < 2 * ShipperFailureTest.BOUND.toNanos(), "bounded time");
      world.barrier();
    }
  }
}
