package io.skerry.jobs.lcls;

import io.skerry.Attribute;
import io.skerry.Dataset;
import io.skerry.Group;
import io.skerry.H5File;
import io.skerry.H5Object;
import io.skerry.NoSuchObjectException;
import io.skerry.collective.trust.ForeignFiles;
import io.skerry.exception.FormatException;
import io.skerry.exception.UnsupportedFeatureException;
import io.skerry.jobs.file.InputFile;
import io.skerry.jobs.file.OutputCheck;
import io.skerry.jobs.file.OutputPlace;
import io.skerry.jobs.frame.FrameReader;
import io.skerry.jobs.frame.FrameShape;
import io.skerry.jobs.frame.Provenance;
import io.skerry.jobs.run.JobException;
import io.skerry.mpi.Communicator;
import io.skerry.parallel.CollectiveException;
import io.skerry.parallel.Trust;
import io.skerry.selection.Shape;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.Function;

/**
 * Checks whether a run can continue the output of another run. The check relies only on the files,
 * because the other run may have been killed at any time. Runs on one rank.
 */
final class UnfinishedRun {
  private final LclsOptions options;
  private final FrameReader source;
  private final H5File file;

  private UnfinishedRun(LclsOptions options, FrameReader source, H5File file) {
    this.options = options;
    this.source = source;
    this.file = file;
  }

  /**
   * Checks that an unfinished output exists, without reading it. Symbolic links are not followed,
   * because a file outside the folder cannot belong to a run.
   *
   * @throws JobException if there is no unfinished output, if its folder is untrusted according to
   *     {@link ForeignFiles#isUntrusted}, or if the file of the sparse data is not a regular file
   */
  static void checkExists(OutputPlace place, Path eventsFile) throws IOException {
    Path main = InputFile.location(place.mainFile()).path();
    Path out = InputFile.location(place.out()).path();
    boolean exists =
        Files.isDirectory(place.folder(), LinkOption.NOFOLLOW_LINKS)
            && (InputFile.isStored(place.out())
                ? InputFile.isTaken(place.mainFile())
                : Files.isRegularFile(main, LinkOption.NOFOLLOW_LINKS));
    if (!exists || OutputCheck.isSame(main, out)) {
      throw new JobException(
          InputFile.isTaken(place.out())
              ? "nothing to resume, the output is complete: out=" + place.out()
              : "nothing to resume, start without --resume: file=" + main);
    }
    if (ForeignFiles.isUntrusted(place.folder(), out)) {
      throw new JobException(
          "cannot be resumed, it belongs to another user, in a folder with the sticky bit: file="
              + place.folder());
    }
    Path events = place.made(eventsFile);
    if (!InputFile.isStored(events)
        && Files.exists(events, LinkOption.NOFOLLOW_LINKS)
        && !Files.isRegularFile(events, LinkOption.NOFOLLOW_LINKS)) {
      throw new JobException("cannot be resumed, not an ordinary file: file=" + events);
    }
  }

  /**
   * Checks that the unfinished output was written by the same version of the program, from a source
   * with the same name, pixel type, units and frame size, and with the same options {@code --mode},
   * {@code --every} and {@code --split}. Also checks that the source has at least as many frames as
   * are complete in the output.
   *
   * @throws JobException if the output cannot be resumed; the files are then unchanged, except that
   *     an interrupted flush has been finished or discarded
   */
  static void check(OutputPlace place, LclsOptions options, FrameReader source) {
    Path main = place.mainFile();
    try (H5File file = InputFile.open(main, Communicator.self(), Trust.SAME_FOLDER)) {
      new UnfinishedRun(options, source, file).check();
    } catch (CollectiveException | FormatException e) {
      throw new JobException(
          "the existing output cannot be resumed, start without --resume: file=%s cause=%s"
              .formatted(main, e instanceof CollectiveException all ? all.reason() : e),
          e);
    }
  }

  private void check() {
    long done =
        find(FrameStore.SPOT_COUNTS)
            .flatMap(counts -> counts.attribute(FrameStore.FRAMES_DONE))
            .map(this::number)
            .orElseThrow(() -> cannot("it was cut before its first batch was stored"));
    if (done < 0) {
      throw cannot("its count of completed frames is damaged: done=" + done);
    }
    same("--split", splitting(), options.placement());
    Dataset events = find(FrameStore.EVENTS).orElseThrow(() -> damaged(FrameStore.EVENTS));
    same("creator", text(events, "creator"), Provenance.creator());
    same("source", text(events, "source"), Provenance.of(options.source()));
    same("--mode", text(events, "selection"), FrameStore.selection(options));
    same("type", events.datatype(), FrameReader.stored(source.pixelType()));
    same("units", text(events, "units"), source.units());
    Optional<Dataset> full = find(FrameStore.FULL);
    same(
        "--every",
        full.map(whole -> whole.attribute("every").map(this::number).orElse(0L)),
        options.every().stream().mapToObj(n -> (long) n).findFirst());
    FrameShape shape = source.shape();
    if (done > shape.frames()) {
      throw cannot(
          "the source has fewer frames than are done: done=%d frames=%d"
              .formatted(done, shape.frames()));
    }
    atLeast(events, done, shape.rows(), shape.columns());
    atLeast(find(FrameStore.SPOT_COUNTS).orElseThrow(), done);
    if (full.isPresent()) {
      long whole = Math.ceilDiv(done, (long) options.every().orElseThrow());
      atLeast(full.get(), whole, shape.rows(), shape.columns());
      atLeast(find(FrameStore.FULL_INDEX).orElseThrow(() -> damaged(FrameStore.FULL_INDEX)), whole);
    }
  }

  private long number(Attribute stored) {
    long[] values = read(stored, Attribute::longs);
    if (values.length != 1) {
      throw cannot(
          "a number is damaged: attribute=%s values=%d".formatted(stored.name(), values.length));
    }
    return values[0];
  }

  private <T> T read(Attribute stored, Function<Attribute, T> as) {
    try {
      return as.apply(stored);
    } catch (UnsupportedFeatureException e) {
      throw cannot(
          "an attribute of the run is damaged: attribute=%s type=%s"
              .formatted(stored.name(), stored.datatype()));
    }
  }

  private Optional<Dataset> find(String path) {
    try {
      H5Object object = file.object(path);
      return object instanceof Dataset dataset ? Optional.of(dataset) : Optional.empty();
    } catch (NoSuchObjectException e) {
      return Optional.empty();
    }
  }

  private LclsOptions.Placement splitting() {
    Group entry = file.group("/entry");
    return entry.links().stream().anyMatch(link -> link instanceof Group.External)
        ? LclsOptions.Placement.SPLIT
        : LclsOptions.Placement.ONE_FILE;
  }

  private String text(Dataset dataset, String name) {
    return dataset.attribute(name).map(stored -> read(stored, Attribute::text)).orElse("none");
  }

  private void same(String what, Object stored, Object asked) {
    if (!stored.equals(asked)) {
      throw cannot(
          "of another run: differs=%s file=%s asked=%s"
              .formatted(what, plain(stored), plain(asked)));
    }
  }

  private static Object plain(Object value) {
    return value instanceof Optional<?> maybe
        ? maybe.map(Object.class::cast).orElse("none")
        : value;
  }

  /**
   * Checks that a dataset contains at least the given number of frames, each with the given extent.
   */
  private void atLeast(Dataset dataset, long frames, long... frame) {
    Shape shape = dataset.shape();
    long[] extent = shape.extent();
    if (extent.length != 1 + frame.length
        || extent[0] < frames
        || !Arrays.equals(extent, 1, extent.length, frame, 0, frame.length)) {
      throw cannot(
          "of another size: path=%s shape=%s frames=%d frame=%s"
              .formatted(dataset.shownPath(), shape, frames, Arrays.toString(frame)));
    }
  }

  private JobException damaged(String path) {
    return cannot("not there or no dataset: path=" + path);
  }

  private JobException cannot(String reason) {
    return new JobException("cannot be resumed, " + reason + " in=" + file.path());
  }
}
