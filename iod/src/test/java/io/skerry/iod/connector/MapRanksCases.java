package io.skerry.iod.connector;

import io.skerry.iod.engine.EngineOptions;
import io.skerry.iod.object.ChecksumLevel;
import io.skerry.testkit.connector.MapConformance;
import io.skerry.testkit.ranked.RankedCase;
import io.skerry.testkit.ranked.RankedCases;
import java.util.List;

/** The suite for maps, in containers of three shards that all ranks open together. */
public final class MapRanksCases implements RankedCases {
  /** Creates the suite. */
  public MapRanksCases() {}

  @Override
  public List<RankedCase> cases() {
    ContainerSettings settings = new ContainerSettings(3, ChecksumLevel.ALL, EngineOptions.DEFAULT);
    return new MapConformance(new VerifyingConnector(new IodConnector(settings))).cases();
  }
}
