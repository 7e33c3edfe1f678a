package io.skerry.testkit.connector;

import io.skerry.H5File;
import io.skerry.Transactions;
import io.skerry.exception.UnsupportedFeatureException;
import io.skerry.mpi.Communicator;
import io.skerry.parallel.CollectiveException;
import io.skerry.parallel.FileAccess;
import io.skerry.parallel.FileOptions;
import io.skerry.spi.Connector;
import io.skerry.spi.Connectors;
import io.skerry.testkit.ranked.Expect;
import io.skerry.testkit.ranked.RankedCase;
import io.skerry.testkit.ranked.RankedCases;
import io.skerry.testkit.ranked.SharedFolder;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * Conformance suite for connectors without transactions: transactions are refused on all ranks, and
 * the file remains usable.
 */
public final class TransactionRefusalConformance implements RankedCases {
  private final Connector connector;

  /** Creates the suite for a connector. */
  public TransactionRefusalConformance(Connector connector) {
    this.connector = connector;
  }

  @Override
  public List<RankedCase> cases() {
    return List.of(new RankedCase("transactions_are_refused_on_all_ranks", this::refuse));
  }

  private void refuse(Communicator world) throws IOException {
    try (SharedFolder folder = SharedFolder.create(world)) {
      Path path = folder.file("plain.h5");
      FileOptions options = FileOptions.standard();
      try (H5File file = Connectors.open(connector, path, FileAccess.CREATE, world, options)) {
        refuse(file, world);
        file.createGroup("/group");
      }
      try (H5File file = Connectors.open(connector, path, FileAccess.READ, world, options)) {
        Expect.equal(1, file.root().links().size(), "links");
        refuse(file, world);
        Expect.equal(1, file.root().links().size(), "links after the refusal");
      }
      H5File closed = Connectors.open(connector, path, FileAccess.READ, world, options);
      closed.close();
      Expect.thrown(IllegalStateException.class, closed::transactions, "a closed file");
      world.barrier();
    }
  }

  private static void refuse(H5File file, Communicator world) {
    for (Expect.Action action :
        List.<Expect.Action>of(
            file::transactions, () -> file.openVersion(Transactions.Version.last()))) {
      CollectiveException refusal =
          Expect.thrown(CollectiveException.class, action, "transactions");
      Expect.that(refusal.getCause() instanceof UnsupportedFeatureException, "" + refusal);
      Expect.that(refusal.toString().contains("transactions"), "" + refusal);
      Expect.that(refusal.toString().contains("plain.h5"), "" + refusal);
      Expect.equal(world.size(), refusal.failingRanks().size(), "failing ranks");
    }
  }
}
