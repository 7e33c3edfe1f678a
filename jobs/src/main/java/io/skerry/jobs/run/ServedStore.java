package io.skerry.jobs.run;

import io.skerry.H5File;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.Reduction;
import io.skerry.parallel.FileAccess;
import io.skerry.parallel.FileOptions;
import io.skerry.spi.Connector;
import io.skerry.spi.Connectors;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.ToIntFunction;

/**
 * A store whose files I/O ranks serve while a job runs. The job opens its files by their locations
 * and need not know of the I/O ranks.
 *
 * @param scheme the scheme of the locations in the store
 * @param connector the connector that opens files through the I/O ranks
 * @param computing the number of ranks that run the job
 */
public record ServedStore(String scheme, Connector connector, int computing) {
  /** The store of the job that the current thread runs, which is the thread of one rank. */
  private static final ScopedValue<ServedStore> OF_THIS_RANK = ScopedValue.newInstance();

  /**
   * Runs a job on the first ranks, while the last ones serve. Collective.
   *
   * @param job the job; it receives the communicator of the compute ranks
   * @return the largest exit code of the job on all ranks; 2 if no rank would be left to compute
   */
  static int run(Ranks.Service service, Communicator world, ToIntFunction<Communicator> job) {
    Optional<String> refusal = service.refusal(world.size());
    if (refusal.isPresent()) {
      if (world.rank() == 0) {
        System.err.println(refusal.get());
      }
      return CommandContext.WRONG_ARGUMENTS;
    }
    AtomicInteger code = new AtomicInteger();
    Connectors.connector(service.scheme())
        .withIoRanks(
            world,
            service.number(),
            (compute, connector) ->
                ScopedValue.where(
                        OF_THIS_RANK, new ServedStore(service.scheme(), connector, compute.size()))
                    .run(() -> code.set(job.applyAsInt(compute))));
    return (int) world.allReduce(code.get(), Reduction.MAX);
  }

  /**
   * Opens or creates the file at a location, through the I/O ranks if all compute ranks open a file
   * of the store that they serve. Collective.
   *
   * @param location an HDF5 file or a file in a store
   * @param ranks all compute ranks, or one of them
   */
  public static H5File open(
      String location, FileAccess access, Communicator ranks, FileOptions options) {
    Connectors.Location parsed = Connectors.Location.parse(location);
    return parsed
        .scheme()
        .filter(_ -> OF_THIS_RANK.isBound())
        .map(_ -> OF_THIS_RANK.get())
        .filter(store -> store.serves(parsed, ranks))
        .map(store -> Connectors.open(store.connector(), parsed.path(), access, ranks, options))
        .orElseGet(() -> Connectors.open(location, access, ranks, options));
  }

  private boolean serves(Connectors.Location location, Communicator ranks) {
    return location.scheme().equals(Optional.of(scheme)) && ranks.size() == computing;
  }
}
