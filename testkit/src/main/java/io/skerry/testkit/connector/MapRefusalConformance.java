package io.skerry.testkit.connector;

import io.skerry.H5File;
import io.skerry.NoSuchObjectException;
import io.skerry.datatype.Datatype;
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
 * Conformance suite for connectors that cannot store maps: a new map is refused on all ranks, and
 * the file remains usable.
 */
public final class MapRefusalConformance implements RankedCases {
  private final Connector connector;

  /** Creates the suite for a connector. */
  public MapRefusalConformance(Connector connector) {
    this.connector = connector;
  }

  @Override
  public List<RankedCase> cases() {
    return List.of(new RankedCase("a_map_is_refused_on_all_ranks", this::refuse));
  }

  private void refuse(Communicator world) throws IOException {
    try (SharedFolder folder = SharedFolder.create(world)) {
      Path path = folder.file("maps.h5");
      FileOptions options = FileOptions.standard();
      try (H5File file = Connectors.open(connector, path, FileAccess.CREATE, world, options)) {
        CollectiveException refusal =
            Expect.thrown(
                CollectiveException.class,
                () -> file.createMap("/new/map", Datatype.I32, Datatype.F64),
                "a map");
        Expect.that(refusal.getCause() instanceof UnsupportedFeatureException, "" + refusal);
        Expect.that(refusal.toString().contains("map"), "" + refusal);
        Expect.that(refusal.toString().contains("/new/map"), "" + refusal);
        Expect.equal(world.size(), refusal.failingRanks().size(), "failing ranks");
        Expect.thrown(
            CollectiveException.class,
            () -> file.createMap("/map" + world.rank(), Datatype.I32, Datatype.F64),
            "maps with different names");
        file.createGroup("/group");
        Expect.thrown(
            CollectiveException.class,
            () -> file.group("/group").createMap("map", Datatype.I32, Datatype.F64),
            "a map in a group");
      }
      try (H5File file = Connectors.open(connector, path, FileAccess.READ, world, options)) {
        Expect.equal(1, file.root().links().size(), "links");
        Expect.thrown(NoSuchObjectException.class, () -> file.map("/group"), "a group as a map");
        Expect.thrown(NoSuchObjectException.class, () -> file.map("/new/map"), "a missing map");
        Expect.thrown(
            IllegalStateException.class,
            () -> file.createMap("/map", Datatype.I32, Datatype.F64),
            "creating a map while reading");
      }
      world.barrier();
    }
  }
}
