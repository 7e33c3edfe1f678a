package io.skerry.integration.fuzz;

import io.skerry.Attribute;
import io.skerry.Dataset;
import io.skerry.DatasetSpec;
import io.skerry.Group;
import io.skerry.H5File;
import io.skerry.H5Object;
import io.skerry.Verification;
import io.skerry.datatype.Datatype;
import io.skerry.jobs.Skerry;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.LocalRanks;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** The actions on a changed file. If one object is refused, an action continues with the others. */
final class CaseActions {
  /** The kinds of actions. */
  enum Action {
    WALK,
    CHUNKS,
    READ,
    PARTS,
    VERIFY,
    WRITE,
    LS,
    DIGEST,
    STAT,
    CACHE,
    DUMP,
    REPACK,
    CONVERT,
    EXPORT,
    RANKS
  }

  private static final int MOST_OBJECTS = 100;
  private static final int RANKS = 2;

  private final Path file;
  private final long number;
  private final Consumer<Throwable> failures;
  private final Consumer<String> errors;

  /**
   * @param number the number of the case, which determines the dataset of each command
   * @param failures receives each exception of an action
   * @param errors receives each finding of a verification and the error output of each command
   */
  CaseActions(Path file, long number, Consumer<Throwable> failures, Consumer<String> errors) {
    this.file = file;
    this.number = number;
    this.failures = failures;
    this.errors = errors;
  }

  void run(Action action) {
    switch (action) {
      case WALK -> each(CaseActions::look);
      case CHUNKS -> datasets(this::chunks);
      case READ -> datasets(dataset -> attempt(() -> dataset.readBytes(Selection.all())));
      case PARTS -> datasets(this::parts);
      case VERIFY ->
          attempt(() -> Verification.of(file, finding -> errors.accept(finding.toString())));
      case WRITE -> attempt(this::write);
      case LS -> command("ls", file.toString());
      case DIGEST -> command("digest", file.toString());
      case STAT -> command("stat", file.toString());
      case CACHE -> command("stat", "--cache", file.toString());
      case DUMP ->
          named(
              name -> attempt(() -> command("dump", place(name), "--selection", selection(name))));
      case REPACK -> command("repack", file.toString(), output());
      case CONVERT -> named(name -> attempt(() -> convert(name)));
      case EXPORT -> named(this::export);
      case RANKS -> attempt(this::onRanks);
    }
  }

  private void attempt(Runnable part) {
    try {
      part.run();
    } catch (Throwable e) {
      // Ranks are threads and may fail concurrently.
      synchronized (failures) {
        failures.accept(e);
      }
    }
  }

  private void each(Consumer<H5Object> visitor) {
    attempt(() -> {
      try (H5File opened = H5File.open(file)) {
        Set<Long> seen = new HashSet<>();
        attempt(() -> visit(opened.object("/"), seen, visitor));
      }
    });
  }

  private void visit(H5Object object, Set<Long> seen, Consumer<H5Object> visitor) {
    attempt(() -> visitor.accept(object));
    if (object instanceof Group group) {
      attempt(() -> {
        for (Group.Link link : group.links()) {
          switch (link) {
            case Group.Hard hard -> {
              if (seen.size() < MOST_OBJECTS && seen.add(hard.address())) {
                attempt(() -> visit(group.child(hard), seen, visitor));
              }
            }
            case Group.External external ->
                attempt(() -> object.file().object(group.childPath(external.name())));
            default -> {}
          }
        }
      });
    }
  }

  private static void look(H5Object object) {
    for (Attribute attribute : object.attributes()) {
      String text = attribute.toString();
      if (!text.isEmpty()) {
        attribute.values(object.file().contents());
      }
    }
    if (object instanceof Dataset dataset) {
      dataset.storage();
      dataset.usage();
      dataset.fillValue();
    }
  }

  /** Reads all datasets collectively on two ranks. */
  private void onRanks() {
    List<String> names = new ArrayList<>();
    datasets(dataset -> names.add(dataset.path()));
    List<Boolean> unused =
        LocalRanks.call(
            RANKS,
            world -> {
              try (H5File opened = H5File.open(file, world)) {
                names.forEach(name ->
                    attempt(() -> {
                      Dataset dataset = opened.dataset(name);
                      byte[] unusedBytes = dataset.readBytes(small(dataset.shape()));
                      Selection defined = dataset.defined(Selection.all());
                      if (defined.count(dataset.shape()) > elements(dataset)) {
                        throw new IllegalStateException("more defined elements than all: " + name);
                      }
                    }));
              }
              return true;
            });
  }

  private void datasets(Consumer<Dataset> visitor) {
    each(object -> {
      if (object instanceof Dataset dataset) {
        visitor.accept(dataset);
      }
    });
  }

  private void chunks(Dataset dataset) {
    if (dataset.storage().layout().equals("chunked") || dataset.isSparse()) {
      attempt(() -> dataset.chunks().forEach(chunk -> {}));
      attempt(dataset.chunks()::count);
      if (elements(dataset) > 0) {
        attempt(() -> dataset.chunks().image(corner(dataset)));
      }
    }
    attempt(dataset::statistics);
  }

  private static long[] corner(Dataset dataset) {
    return new long[dataset.shape().rank()];
  }

  private void parts(Dataset dataset) {
    Selection small = small(dataset.shape());
    attempt(() -> dataset.readElements(small));
    attempt(() -> dataset.readValues(small));
    attempt(() -> dataset.readBytes(small));
    attempt(() -> dataset.defined(small));
    attempt(() -> dataset.defined(Selection.all()));
  }

  /**
   * Returns the last elements of each dimension: at most two in the first four dimensions, and at
   * most one in the others.
   */
  private static Selection small(Shape shape) {
    long[] extent = shape.extent();
    long[] start = new long[extent.length];
    long[] size = new long[extent.length];
    for (int i = 0; i < extent.length; i++) {
      size[i] = Math.min(i < 4 ? 2 : 1, extent[i]);
      start[i] = extent[i] - size[i];
    }
    return extent.length == 0 ? Selection.all() : Selection.box(start, size);
  }

  private void write() {
    Path copy = file.resolveSibling("case-written.h5");
    try {
      Files.copy(file, copy, StandardCopyOption.REPLACE_EXISTING);
      try (H5File opened = H5File.openForWriting(copy, Communicator.self())) {
        List<Dataset> found = new ArrayList<>();
        attempt(() ->
            visit(
                opened.object("/"),
                new HashSet<>(),
                object -> {
                  if (object instanceof Dataset dataset) {
                    found.add(dataset);
                  }
                }));
        found.forEach(dataset -> attempt(() -> writeSmall(dataset)));
        attempt(() -> opened.object("/").setAttribute(Attribute.of("added", "text")));
        attempt(() -> opened.createDataset("/added", DatasetSpec.of(Datatype.I32, Shape.of(3))));
        opened.flush();
      }
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    } finally {
      delete(copy);
      delete(copy.resolveSibling("case-written.h5.journal"));
    }
  }

  private static void writeSmall(Dataset dataset) {
    Selection small = small(dataset.shape());
    byte[] bytes = dataset.readBytes(small);
    dataset.write(small, dataset.datatype(), java.lang.foreign.MemorySegment.ofArray(bytes));
  }

  /** Deletes a file, or the folder that a killed command has left. */
  static void delete(Path path) {
    try {
      if (Files.isDirectory(path)) {
        try (Stream<Path> inside = Files.list(path)) {
          inside.forEach(CaseActions::delete);
        }
      }
      Files.deleteIfExists(path);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  /** Visits the path of a dataset, which the number of the case determines. */
  private void named(Consumer<String> visitor) {
    List<String> names = new ArrayList<>();
    datasets(dataset -> names.add(dataset.path()));
    names.remove("/");
    if (!names.isEmpty()) {
      visitor.accept(names.get(new SplittableRandom(number).nextInt(names.size())));
    }
  }

  private static double elements(Dataset dataset) {
    return Arrays.stream(dataset.shape().extent()).asDoubleStream().reduce(1, (a, b) -> a * b);
  }

  private void export(String name) {
    command("export", "--as=coo", place(name), output() + ":/out");
    command("export", "--as=dense", place(name), output() + ":/out");
    command("import", "--from=dense", place(name), output() + ":/out");
  }

  private void convert(String name) {
    command("convert", "--dense", place(name), output() + ":/out");
    command(
        "convert",
        "--sparse=" + "3x".repeat(Math.max(0, rank(name) - 1)) + 3,
        place(name),
        output() + ":/out");
  }

  private String place(String name) {
    return file + ":" + name;
  }

  private String selection(String name) {
    int rank = rank(name);
    return rank == 0 ? ":" : "0,".repeat(rank - 1) + "0:1";
  }

  private int rank(String name) {
    try (H5File opened = H5File.open(file)) {
      return opened.dataset(name).shape().rank();
    }
  }

  private String output() {
    return file.resolveSibling("case-output.h5").toString();
  }

  private void command(String... arguments) {
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    PrintStream before = System.err;
    System.setErr(new PrintStream(said, true, StandardCharsets.UTF_8));
    try (PrintStream none = new PrintStream(OutputStream.nullOutputStream())) {
      int code = Skerry.run(Map.of(), none, arguments);
      if (code == 2) {
        errors.accept("wrong arguments: " + String.join(" ", arguments) + " " + said);
      }
    } finally {
      System.setErr(before);
      errors.accept(said.toString(StandardCharsets.UTF_8));
      delete(file.resolveSibling("case-output.h5"));
      delete(file.resolveSibling("case-output.h5.journal"));
      delete(file.resolveSibling("case-output.h5.partial"));
    }
  }
}
