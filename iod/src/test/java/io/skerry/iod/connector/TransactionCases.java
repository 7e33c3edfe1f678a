package io.skerry.iod.connector;

import io.skerry.iod.engine.EngineOptions;
import io.skerry.iod.object.ChecksumLevel;
import io.skerry.testkit.connector.TransactionConformance;
import io.skerry.testkit.ranked.RankedCase;
import io.skerry.testkit.ranked.RankedCases;
import java.util.List;

/** The suite for transactions on containers of two shards, also for the processes of mpirun. */
public final class TransactionCases implements RankedCases {
  @Override
  public List<RankedCase> cases() {
    return new TransactionConformance(
            new IodConnector(new ContainerSettings(2, ChecksumLevel.ALL, EngineOptions.DEFAULT)))
        .cases();
  }
}
