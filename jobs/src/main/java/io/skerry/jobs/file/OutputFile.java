package io.skerry.jobs.file;

import io.skerry.Group;
import io.skerry.H5File;
import io.skerry.collective.step.LocalStatus;
import io.skerry.jobs.run.Agreement;
import io.skerry.jobs.run.JobException;
import io.skerry.jobs.run.ServedStore;
import io.skerry.mpi.AgreedFailure;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.Reduction;
import io.skerry.mpi.internal.concurrent.Watchdog;
import io.skerry.parallel.FileAccess;
import io.skerry.parallel.FileOptions;
import io.skerry.parallel.Trust;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Creates or changes the output file of a command. A new file is moved into place when complete.
 */
public final class OutputFile {
  private OutputFile() {}

  /**
   * Prepares the folder for unfinished output, runs a function that creates the output, and moves
   * the output into place. If the function fails on rank 0, its output is removed; complete output
   * that cannot be moved is kept. Collective.
   *
   * @param body the function that creates the file {@link OutputPlace#mainFile}; it is called on
   *     every rank
   * @return the result of the function
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
              // The complete output is kept from here on, even if it cannot be moved.
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

  /**
   * Creates the main file of an output, fills it and closes it. Collective.
   *
   * @return the result of {@code filling}
   */
  public static <T> T create(OutputPlace place, Communicator ranks, Function<H5File, T> filling) {
    H5File target = createNew(place.mainFile(), ranks);
    T result;
    try {
      result = filling.apply(target);
    } catch (RuntimeException e) {
      if (ranks.size() == 1 || AgreedFailure.isAgreed(e, ranks.rankSet())) {
        // Report the first failure, not a failure of the discard.
        new LocalStatus().attempt(target::discard);
      }
      throw e;
    }
    target.close();
    return result;
  }

  /**
   * Creates a file, which must not exist yet. Collective.
   *
   * @param file the path of the file, or a location
   */
  public static H5File createNew(Path file, Communicator ranks) {
    return ServedStore.open(file.toString(), FileAccess.CREATE_NEW, ranks, FileOptions.standard());
  }

  /**
   * Opens an input file and an output file, which may be the same file, and runs a function on
   * them. An existing output file is modified in place; a new output file is moved into place when
   * it is complete. Collective.
   *
   * @param filling the function; it receives the input file and the output file, the latter open
   *     for writing
   * @return the result of {@code filling}
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
    if (isSame(in, out, world)) {
      return change(out, trust, world, target -> filling.apply(target, target));
    }
    return Agreement.using(
        world,
        InputFile.open(in, world, trust),
        H5File::close,
        source -> change(out, trust, world, target -> filling.apply(source, target)));
  }

  /**
   * Returns whether a file exists, even if it is a dangling symbolic link. Rank 0 decides, because
   * on a shared file system a new file may become visible to the other ranks only later.
   * Collective.
   */
  public static boolean exists(Path file, Communicator ranks) {
    boolean found = ranks.rank() == 0 && InputFile.isTaken(file);
    return ranks.allReduce(found ? 1 : 0, Reduction.MAX) == 1;
  }

  /** Returns whether the output is the input or one of its members. Rank 0 decides. Collective. */
  private static boolean isSame(Path in, Path out, Communicator ranks) {
    AtomicBoolean same = new AtomicBoolean();
    try (Watchdog watchdog = new Watchdog(ranks.rank(), System.err)) {
      // If the comparison fails on rank 0, the other ranks must not wait for its result.
      new Agreement(ranks, watchdog, out)
          .first(
              "comparing the output with the input",
              () ->
                  same.set(
                      InputFile.members(in).stream()
                          .anyMatch(each -> OutputCheck.isSame(each, InputFile.plain(out)))));
    }
    return ranks.allReduce(same.get() ? 1 : 0, Reduction.MAX) == 1;
  }

  /**
   * Opens a file for writing, changes it and closes it. After a failure, changes that were not
   * flushed are discarded. Collective.
   *
   * @return the result of {@code step}
   */
  public static <T> T change(Path out, Trust trust, Communicator ranks, Function<H5File, T> step) {
    H5File target = InputFile.openForWriting(out, ranks, trust);
    T result;
    try {
      result = step.apply(target);
    } catch (RuntimeException e) {
      // Changes that were not flushed are discarded; the caller reports the failure.
      if (ranks.size() == 1 || AgreedFailure.isAgreed(e, ranks.rankSet())) {
        new LocalStatus().attempt(target::discard);
      }
      throw e;
    }
    target.close();
    return result;
  }

  /**
   * Creates objects at paths that must not exist yet. After a failure, the objects are removed
   * again, together with the groups created above them, because some of them may have been flushed.
   * Only for files that a single rank has open.
   *
   * @param paths the paths of the objects; if the root group is among them, it must have no links;
   *     after a failure, its new links and attributes are removed, and the attributes that were
   *     replaced are restored
   * @param making the function that creates the objects
   * @return the result of {@code making}
   * @throws JobException if a path already exists, in which case nothing has been changed
   */
  public static <T> T createOrRemove(H5File target, List<String> paths, Supplier<T> making) {
    Set<String> made = new LinkedHashSet<>();
    for (String path : paths) {
      made.add(
          firstFree(target, path)
              .orElseThrow(() ->
                  new JobException("the name is taken: path=" + path + " file=" + target.path())));
    }
    SavedAttributes attributes =
        made.contains("/") ? SavedAttributes.of(target.root()) : SavedAttributes.NONE;
    try {
      return making.get();
    } catch (RuntimeException e) {
      // Report the first failure, not a failure of the removal.
      new LocalStatus()
          .attempt(() -> {
            made.forEach(path -> remove(target, path, attributes));
            target.flush();
          });
      throw e;
    }
  }

  /**
   * Returns the shortest prefix of a path at which the file has no link.
   *
   * @return the prefix; empty if the path exists. For the root group: {@code "/"} if it has no
   *     links, otherwise empty
   */
  private static Optional<String> firstFree(H5File file, String path) {
    Group group = file.root();
    if (path.equals("/")) {
      return group.links().isEmpty() ? Optional.of(path) : Optional.empty();
    }
    StringBuilder prefix = new StringBuilder();
    for (String name : path.split("/", -1)) {
      if (name.isEmpty() || name.equals(".")) {
        continue;
      }
      if (!prefix.isEmpty()) {
        group = file.group(prefix.toString());
      }
      if (!names(group).contains(name)) {
        return Optional.of(prefix.append('/').append(name).toString());
      }
      prefix.append('/').append(name);
    }
    return Optional.empty();
  }

  private static void remove(H5File file, String path, SavedAttributes attributes) {
    Group root = file.root();
    if (!path.equals("/")) {
      if (firstFree(file, path).isEmpty()) {
        file.unlink(path);
      }
      return;
    }
    names(root).forEach(name -> file.unlink("/" + name));
    attributes.restore(root);
  }

  private static Set<String> names(Group group) {
    return group.links().stream().map(Group.Link::name).collect(Collectors.toSet());
  }
}
