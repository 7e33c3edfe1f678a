package io.skerry.iod.connector;

import io.skerry.H5File;
import io.skerry.iod.engine.EngineOptions;
import io.skerry.iod.object.ChecksumLevel;
import io.skerry.iod.shipper.option.Placement;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.Mpi;
import io.skerry.parallel.FileAccess;
import io.skerry.parallel.FileOptions;
import io.skerry.spi.Connector;
import io.skerry.spi.Connectors;
import java.nio.file.Path;

/** A job that changes a {@link RoundFile} until one of its ranks is killed. */
public final class KilledRanks {
  private static final ContainerSettings SETTINGS =
      new ContainerSettings(3, ChecksumLevel.STORE, EngineOptions.DEFAULT);

  private KilledRanks() {}

  /**
   * Runs the job. Each rank prints its process; rank 0 prints each round that was flushed.
   *
   * @param arguments the scheme and the path of the container, and the number of ranks that only
   *     serve
   */
  public static void main(String[] arguments) {
    String scheme = arguments[0];
    Path path = Path.of(arguments[1]);
    int serving = Integer.parseInt(arguments[2]);
    System.exit(
        Mpi.run(
            arguments,
            world -> {
              say("process " + world.rank() + " " + ProcessHandle.current().pid());
              if (serving == 0) {
                change(world, new IodConnector(scheme, SETTINGS), path);
              } else {
                IoRanks.run(
                    world,
                    scheme,
                    SETTINGS,
                    serving,
                    Placement.Kind.LAST,
                    (compute, connector) -> change(compute, connector, path));
              }
              return 0;
            }));
  }

  private static void say(String line) {
    System.out.print(line + "\n");
    System.out.flush();
  }

  private static void change(Communicator compute, Connector connector, Path path) {
    // All ranks must have looked before rank 0 creates the container.
    boolean isNew = !connector.isTaken(path);
    compute.barrier();
    try (H5File file =
        Connectors.open(
            connector,
            path,
            isNew ? FileAccess.CREATE_NEW : FileAccess.WRITE,
            compute,
            FileOptions.standard())) {
      RoundFile rounds = new RoundFile(file, compute.rank(), compute.size());
      long round = 0;
      if (isNew) {
        rounds.create();
      } else {
        round = file.root().attribute("round").orElseThrow().longs()[0];
      }
      while (true) {
        file.flush();
        if (compute.rank() == 0) {
          say("flushed " + round);
        }
        round++;
        rounds.write(round);
      }
    }
  }
}
