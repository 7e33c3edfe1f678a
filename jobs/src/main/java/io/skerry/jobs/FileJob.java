package io.skerry.jobs;

import io.skerry.H5File;
import io.skerry.NoSuchObjectException;
import io.skerry.collective.LocalStatus;
import io.skerry.mpi.AgreedFailure;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.Reduction;
import io.skerry.mpi.Watchdog;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;

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
      if (e instanceof AgreedFailure || ranks.size() == 1) {
        // The failure that led here is the one to report, not what closing says after it.
        new LocalStatus().attempt(target::discard);
      }
      throw e;
    }
    target.close();
    return result;
  }

  /**
   * Reads one file and fills another, which may be the same: it is changed if it exists, and else
   * made and moved into its place when it is complete. Collective.
   *
   * @param filling is given both, the second open for writing
   */
  static <T> T between(
      Path in, Path out, Communicator world, BiFunction<H5File, H5File, T> filling) {
    boolean exists = world.allReduce(Files.exists(out) ? 1 : 0, Reduction.MIN) == 1;
    if (!exists) {
      return run(
          OutputPlace.of(out, in),
          world,
          (ranks, place) ->
              Agreement.using(
                  H5File.open(in, ranks),
                  H5File::close,
                  source -> create(place, ranks, target -> filling.apply(source, target))));
    }
    if (InputFile.members(in).contains(out)) {
      return change(out, world, target -> filling.apply(target, target));
    }
    return Agreement.using(
        H5File.open(in, world),
        H5File::close,
        source -> change(out, world, target -> filling.apply(source, target)));
  }

  /** Changes a file; after a failure what was not flushed of the change is gone. Collective. */
  static <T> T change(Path out, Communicator ranks, Function<H5File, T> step) {
    H5File target = H5File.openForWriting(out, ranks);
    T result;
    try {
      result = step.apply(target);
    } catch (RuntimeException e) {
      if (e instanceof AgreedFailure || ranks.size() == 1) {
        new LocalStatus().attempt(target::discard);
      }
      throw e;
    }
    target.close();
    return result;
  }

  /**
   * Makes an object that must not be there yet. After a failure it is removed again, for some of it
   * may have been flushed. On one rank.
   *
   * @param path of the object, or of the root of an empty file, which stays
   */
  static <T> T removing(H5File target, String path, Supplier<T> making) {
    boolean root = path.equals("/");
    if (!root && exists(target, path)) {
      throw new JobException("the name is taken: path=" + path + " file=" + target.path());
    }
    try {
      return making.get();
    } catch (RuntimeException e) {
      LocalStatus status = new LocalStatus();
      if (!root && exists(target, path)) {
        status.attempt(() -> target.unlink(path));
        status.attempt(target::flush);
      }
      throw e;
    }
  }

  private static boolean exists(H5File file, String path) {
    try {
      var unused = file.object(path);
      return true;
    } catch (NoSuchObjectException e) {
      return false;
    }
  }
}
