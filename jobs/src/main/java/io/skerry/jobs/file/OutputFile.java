package io.skerry.jobs.file;

import io.skerry.Attribute;
import io.skerry.Group;
import io.skerry.H5File;
import io.skerry.collective.step.LocalStatus;
import io.skerry.jobs.run.Agreement;
import io.skerry.jobs.run.JobException;
import io.skerry.mpi.AgreedFailure;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.Reduction;
import io.skerry.mpi.internal.concurrent.Watchdog;
import io.skerry.parallel.Trust;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** Makes a file on many ranks, which is moved into its place when it is complete. */
public final class OutputFile {
  private OutputFile() {}

  /**
   * Does a job between the making of a place for the output and the moving of it. Collective.
   *
   * @param body makes {@link OutputPlace#mainFile}; after a failure what it made is removed, but
   *     what is complete and cannot be moved stays
   */
  public static <T> T run(
      OutputPlace place, Communicator world, BiFunction<Communicator, OutputPlace, T> body) {
    try (Watchdog watchdog = new Watchdog(world.rank(), System.err)) {
      return Agreement.using(
          world,
          world.duplicate(),
          Communicator::close,
          ranks -> {
            Agreement agreement = new Agreement(ranks, watchdog, place.out());
            agreement.first("preparing the output", place::prepare);
            boolean made = false;
            try {
              T result = body.apply(ranks, place);
              // From here on it is kept, wherever it has to stay.
              made = true;
              agreement.first("moving the output into place", place::publish);
              return result;
            } finally {
              if (!made && ranks.rank() == 0) {
                new LocalStatus().attempt(place::discard);
              }
            }
          });
    }
  }

  /** Creates the file and closes it when it is filled. Collective. */
  public static <T> T create(OutputPlace place, Communicator ranks, Function<H5File, T> filling) {
    H5File target = H5File.createNew(place.mainFile(), ranks);
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
  public static <T> T between(
      Path in, Path out, Trust trust, Communicator world, BiFunction<H5File, H5File, T> filling) {
    if (!exists(out, world)) {
      return run(
          OutputPlace.of(out, in, ExistingOutput.KEPT),
          world,
          (ranks, place) ->
              Agreement.using(
                  ranks,
                  InputFile.open(in, ranks, trust),
                  H5File::close,
                  source -> create(place, ranks, target -> filling.apply(source, target))));
    }
    if (InputFile.members(in).stream().anyMatch(member -> OutputCheck.isSame(member, out))) {
      return change(out, trust, world, target -> filling.apply(target, target));
    }
    return Agreement.using(
        world,
        InputFile.open(in, world, trust),
        H5File::close,
        source -> change(out, trust, world, target -> filling.apply(source, target)));
  }

  /**
   * Whether there is such a file. Rank 0 decides, for on a shared file system another rank may
   * learn later of a file that was just made. Collective.
   */
  public static boolean exists(Path file, Communicator ranks) {
    boolean found = ranks.rank() == 0 && Files.exists(file, LinkOption.NOFOLLOW_LINKS);
    return ranks.allReduce(found ? 1 : 0, Reduction.MAX) == 1;
  }

  /** Changes a file; after a failure what was not flushed of the change is gone. Collective. */
  public static <T> T change(Path out, Trust trust, Communicator ranks, Function<H5File, T> step) {
    H5File target = InputFile.openForWriting(out, ranks, trust);
    T result;
    try {
      result = step.apply(target);
    } catch (RuntimeException e) {
      // Whatever failed, what the step began is not kept; the failure goes on to who reports it.
      if (e instanceof AgreedFailure || ranks.size() == 1) {
        new LocalStatus().attempt(target::discard);
      }
      throw e;
    }
    target.close();
    return result;
  }

  /**
   * Makes objects whose names must be free. After a failure they are removed again, with the groups
   * that were made above them, for some of that may have been flushed. On one rank.
   *
   * @param paths of the objects; the root, which must be empty, is emptied again
   * @throws JobException if a name is taken; nothing has changed then
   */
  public static <T> T removing(H5File target, List<String> paths, Supplier<T> making) {
    Set<String> made = new LinkedHashSet<>();
    for (String path : paths) {
      made.add(
          firstFree(target, path)
              .orElseThrow(() ->
                  new JobException("the name is taken: path=" + path + " file=" + target.path())));
    }
    Set<String> attributes = attributes(target.root());
    try {
      return making.get();
    } catch (RuntimeException e) {
      // The failure that led here is the one to report, not what removing says after it.
      new LocalStatus()
          .attempt(() -> {
            made.forEach(path -> remove(target, path, attributes));
            target.flush();
          });
      throw e;
    }
  }

  /** The first name on the way that no link has; the root itself if it has no links. */
  private static Optional<String> firstFree(H5File file, String path) {
    Group group = file.root();
    if (path.equals("/")) {
      return group.links().isEmpty() ? Optional.of(path) : Optional.empty();
    }
    StringBuilder way = new StringBuilder();
    for (String name : path.split("/", -1)) {
      if (name.isEmpty() || name.equals(".")) {
        continue;
      }
      if (!way.isEmpty()) {
        group = file.group(way.toString());
      }
      if (!names(group).contains(name)) {
        return Optional.of(way.append('/').append(name).toString());
      }
      way.append('/').append(name);
    }
    return Optional.empty();
  }

  private static void remove(H5File file, String path, Set<String> attributesBefore) {
    Group root = file.root();
    if (!path.equals("/")) {
      if (firstFree(file, path).isEmpty()) {
        file.unlink(path);
      }
      return;
    }
    names(root).forEach(name -> file.unlink("/" + name));
    Set<String> attributes = attributes(root);
    attributes.removeAll(attributesBefore);
    attributes.forEach(root::deleteAttribute);
  }

  private static Set<String> names(Group group) {
    return group.links().stream().map(Group.Link::name).collect(Collectors.toSet());
  }

  private static Set<String> attributes(Group group) {
    return group.attributes().stream().map(Attribute::name).collect(Collectors.toSet());
  }
}
