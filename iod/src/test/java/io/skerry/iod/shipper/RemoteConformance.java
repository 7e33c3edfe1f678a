package io.skerry.iod.shipper;

import io.skerry.iod.engine.EngineLocation;
import io.skerry.iod.engine.EngineProvider;
import io.skerry.iod.engine.conformance.EngineConformance;
import io.skerry.iod.shipper.option.ShipperOptions;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Runs the tests of engines on rank 0, with the shards on other ranks. */
@ExtendWith(OnRanks.class)
abstract class RemoteConformance extends EngineConformance implements OnRanks.Test {
  private static final Map<String, String> SKIPPED =
      Map.of(
          "the_engine_is_found_by_its_scheme", "the engine of this test is no service",
          "closing_beside_other_threads_gives_them_an_exception",
              "a communicator is confined to the thread of its rank",
          "a_reader_beside_a_writer_sees_exactly_its_transaction",
              "a communicator is confined to the thread of its rank");

  /** The number of random programs. */
  private static final long PROGRAMS = 2;

  @TempDir Path folder;

  private final OnRanks.Engine engine;

  RemoteConformance(int ranks, ShipperOptions options) {
    this.engine = new OnRanks.Engine(ranks, options);
  }

  @Override
  public OnRanks.Engine ranks() {
    return engine;
  }

  @Override
  public Optional<String> skipped(String test, List<Object> arguments) {
    boolean isOfManyCalls = arguments.stream().anyMatch(seed -> (long) seed > PROGRAMS);
    if (isOfManyCalls) {
      return Optional.of("each program makes some 10,000 calls");
    }
    return Optional.ofNullable(SKIPPED.get(test));
  }

  @Override
  protected EngineProvider engine() {
    return engine.get();
  }

  @Override
  protected EngineLocation location(String name) {
    return EngineLocation.of("iod:" + folder.resolve(name));
  }
}
