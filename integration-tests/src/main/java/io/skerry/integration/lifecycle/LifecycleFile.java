package io.skerry.integration.lifecycle;

import io.skerry.H5File;
import io.skerry.format.FormatBounds;
import io.skerry.integration.random.RandomChoice;
import io.skerry.mpi.Communicator;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The file of a run, open for writing, and the operations on whole files: closing and reopening,
 * repacking, and copying. Each closed file is checked, except one that a repack replaces.
 * Collective.
 */
final class LifecycleFile {
  private final Communicator ranks;
  private final Path folder;
  private final String name;
  private final Checkpoints checkpoints;
  private final RandomChoice draw;
  private final LayoutGenerator layouts;
  private FormatBounds bounds;
  private Path path;
  private H5File file;
  private int files;

  /** Creates the file. */
  LifecycleFile(
      Communicator ranks,
      Path folder,
      String name,
      Checkpoints checkpoints,
      RandomChoice draw,
      LayoutGenerator layouts) {
    this.ranks = ranks;
    this.folder = folder;
    this.name = name;
    this.checkpoints = checkpoints;
    this.draw = draw;
    this.layouts = layouts;
    this.bounds = draw.pick(List.of(FormatBounds.values()));
    this.path = folder.resolve(name + ".h5");
    this.file = H5File.create(path, ranks, layouts.options(bounds));
  }

  /** Returns the open file. */
  H5File open() {
    return file;
  }

  private boolean isFirst() {
    return ranks.rank() == 0;
  }

  /** Closes and checks the file at the end of the run. */
  void close(List<DatasetModel> datasets) {
    close(Look.TWICE, datasets);
  }

  /** A check of a closed file. */
  private enum Look {
    /** The file is verified. */
    ONCE,
    /** The file is verified, and read by the independent decoder. */
    TWICE
  }

  private Look look() {
    return draw.chance(0.3) ? Look.TWICE : Look.ONCE;
  }

  private void close(Look look, List<DatasetModel> datasets) {
    String expectation = expectation(look, file, bounds, datasets);
    file.close();
    closed(look, path, expectation);
  }

  private String expectation(
      Look look, H5File open, FormatBounds form, List<DatasetModel> datasets) {
    return isFirst() && look == Look.TWICE ? Checkpoints.expectation(open, form, datasets) : "";
  }

  private void closed(Look look, Path closed, String expectation) {
    if (isFirst()) {
      String copy = name + "-" + files + ".h5";
      checkpoints.sound(closed, copy);
      if (look == Look.TWICE) {
        checkpoints.decode(closed, copy, expectation);
      }
    }
    files++;
    ranks.barrier();
  }

  /** Closes and checks the file, and reopens it with new random options. */
  void reopen(List<DatasetModel> datasets) {
    close(look(), datasets);
    file = H5File.openForWriting(path, ranks, layouts.options(bounds));
  }

  /**
   * Copies all objects into a new file that replaces this one, each dataset with the same or
   * another storage, and changes the models accordingly.
   *
   * @param changes the list to which a description of each storage change is added, for messages
   */
  void repack(List<DatasetModel> datasets, List<String> changes) {
    Path next = folder.resolve(name + "-repacked" + files++ + ".h5");
    FormatBounds form = draw.pick(List.of(FormatBounds.values()));
    if (draw.chance(0.6)) {
      file.close();
      file = H5File.open(path, ranks, layouts.options(bounds));
    }
    H5File target = H5File.create(next, ranks, layouts.options(form));
    try {
      new Copies(draw, layouts, file, target).repack(datasets, changes);
      file.close();
    } catch (RuntimeException e) {
      target.discard();
      throw e;
    }
    delete(path);
    file = target;
    path = next;
    bounds = form;
  }

  /** Copies one dataset or all datasets into another file, which is checked and deleted. */
  void copyOut(DatasetModel dataset, List<DatasetModel> datasets) {
    Path out = folder.resolve(name + "-copy.h5");
    FormatBounds form = draw.pick(List.of(FormatBounds.values()));
    Look look = look();
    String expectation;
    try (H5File target = H5File.create(out, ranks, layouts.options(form))) {
      Copies copies = new Copies(draw, layouts, file, target);
      List<DatasetModel> there = new ArrayList<>();
      if (draw.chance(0.5)) {
        there.add(copies.one(dataset));
      } else {
        there.addAll(copies.group(datasets));
      }
      there.forEach(new Comparison(target)::everything);
      expectation = expectation(look, target, form, there);
    }
    closed(look, out, expectation);
    delete(out);
    ranks.barrier();
  }

  private void delete(Path closed) {
    if (isFirst()) {
      try {
        Files.delete(closed);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
