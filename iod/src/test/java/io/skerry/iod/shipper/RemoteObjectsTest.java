package io.skerry.iod.shipper;

import io.skerry.iod.engine.Container;
import io.skerry.iod.engine.EngineLocation;
import io.skerry.iod.engine.Opening;
import io.skerry.iod.object.ObjectPrograms;
import io.skerry.iod.shipper.option.Placement;
import io.skerry.iod.shipper.option.ShipperOptions;
import java.nio.file.Path;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Runs the programs of the object layer on a compute rank, with the shards on two I/O ranks. */
@ExtendWith(OnRanks.class)
class RemoteObjectsTest extends ObjectPrograms implements OnRanks.Test {
  @TempDir Path folder;

  private final OnRanks.Engine engine =
      new OnRanks.Engine(3, ShipperOptions.DEFAULT.with(2, Placement.Kind.LAST));

  @Override
  public OnRanks.Engine ranks() {
    return engine;
  }

  @Override
  protected Container container(String name, int shards) {
    var location = new EngineLocation("iod", folder.resolve(name).toString());
    engine.get().create(location, shards);
    var container = engine.get().open(location, Opening.writing());
    container.recover();
    return container;
  }

  @Override
  protected int mutations() {
    return 200;
  }
}
