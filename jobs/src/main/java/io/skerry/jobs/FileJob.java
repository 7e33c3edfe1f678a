package io.skerry.jobs;

import io.skerry.H5File;
import io.skerry.collective.LocalStatus;
import io.skerry.mpi.AgreedFailure;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.Watchdog;
import java.util.function.BiFunction;
import java.util.function.Function;

/** Makes a file on many ranks, which is moved into its place when it is complete. */
final class FileJob {
  private FileJob() {}

  /**
   * Does a job between the making of a place for the output and the moving of it. Collective.
   *
   * @param body makes {@link OutputPlace#mainFile}; after a failure what it made is removed
   */
  static <T> T run(
      OutputPlace place, Communicator world, BiFunction<Communicator, OutputPlace, T> body) {
    try (Watchdog watchdog = new Watchdog(world.rank(), System.err)) {
      return Agreement.using(
          world.duplicate(),
          Communicator::close,
          ranks -> {
            Agreement agreement = new Agreement(ranks, watchdog, place.out());
            agreement.first("preparing the output", place::prepare);
            boolean published = false;
            try {
              T result = body.apply(ranks, place);
              agreement.first("moving the output into place", place::publish);
              published = true;
              return result;
            } finally {
              if (!published && ranks.rank() == 0) {
                new LocalStatus().attempt(place::discard);
              }
            }
          });
    }
  }

  /** Creates the file and closes it when it is filled. Collective. */
  static <T> T create(OutputPlace place, Communicator ranks, Function<H5File, T> filling) {
    H5File target = H5File.create(place.mainFile(), ranks);
    T result;
    try {
      result = filling.apply(target);
    } catch (RuntimeException e) {
      if (e instanceof AgreedFailure) {
        // The failure that led here is the one to report, not what closing says after it.
        new LocalStatus().attempt(target::discard);
      }
      throw e;
    }
    target.close();
    return result;
  }
}
