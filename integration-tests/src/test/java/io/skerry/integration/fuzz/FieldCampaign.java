package io.skerry.integration.fuzz;

import io.skerry.Dataset;
import io.skerry.Group;
import io.skerry.H5File;
import io.skerry.H5Object;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * Changes fields of valid files, recomputes the checksums, and runs typical operations on each
 * file. The number of a case determines its file, changes and actions.
 */
final class FieldCampaign {
  /** The result of a case: its changes, its defects and the CPU time used. */
  record Result(
      long number, Path seed, List<String> changes, List<String> defects, long cpuNanos) {}

  private static final long CPU_LIMIT = 5_000_000_000L;

  /** The unit of the times in {@code /proc/self/stat}, 1/100 s. */
  private static final long NANOS_OF_TICK = 10_000_000;

  private static final int ACTIONS = 2;

  /** Prefix of the names of the file and its copies. */
  private static final String CASE = "case";

  private final List<Path> seeds;
  private final Path scratch;
  private final Map<Path, FieldMutator> mutators = new HashMap<>();

  /**
   * @param folder folder of the seeds and of the files to which they refer; cases are written there
   *     too
   */
  FieldCampaign(Path folder) throws IOException {
    this.seeds = SeedFiles.in(folder);
    this.scratch = folder;
  }

  private FieldMutator mutator(Path seed) {
    return mutators.computeIfAbsent(
        seed,
        path -> {
          try {
            return new FieldMutator(FieldMap.of(Files.readAllBytes(path), chunks(path)));
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
  }

  /** Returns the stored chunks of a valid file and their sections. */
  static List<Structure> chunks(Path path) {
    List<Structure> found = new ArrayList<>();
    try (H5File file = H5File.open(path)) {
      for (Group.Link link : file.root().links()) {
        if (link instanceof Group.Hard hard) {
          H5Object child = file.root().child(hard);
          if (child instanceof Dataset dataset
              && !dataset.storage().layout().equals("virtual")
              && (dataset.isSparse() || dataset.storage().layout().equals("chunked"))) {
            dataset
                .chunks()
                .forEach(chunk -> {
                  int at = (int) chunk.address();
                  found.add(stretch("chunk", at, at + (int) chunk.size()));
                  if (chunk.sections().size() > 1) {
                    chunk
                        .sections()
                        .forEach(s ->
                            found.add(
                                stretch(
                                    "section",
                                    at + (int) s.start(),
                                    at + (int) (s.start() + s.length()))));
                  }
                });
          }
        }
      }
    }
    found.removeIf(s -> s.to() <= s.from());
    return found;
  }

  private static Structure stretch(String kind, int from, int to) {
    return new Structure(kind, from, to, from, List.of());
  }

  Path seed(long number) {
    return seeds.get((int) Math.floorMod(number, (long) seeds.size()));
  }

  List<FieldMutator.Change> changes(long number) {
    return mutator(seed(number)).changes(number);
  }

  /** Runs a case. */
  Result run(long number) {
    return run(number, changes(number), actions(number));
  }

  /** Runs a case with other changes or actions, to shrink it. */
  Result run(long number, List<FieldMutator.Change> changes, List<CaseActions.Action> actions) {
    Path seed = seed(number);
    Path file = scratch.resolve(CASE + ".hdf");
    CaseClassifier judge = new CaseClassifier(CASE);
    long before = cpuNanos();
    try {
      Files.write(file, mutator(seed).apply(changes));
      before = cpuNanos();
      for (CaseActions.Action action : actions) {
        CaseActions of =
            new CaseActions(
                file,
                number,
                failure -> tagged(judge, action, j -> j.failed(failure)),
                text -> tagged(judge, action, j -> j.said(text)));
        of.run(action);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    long cpu = cpuNanos() - before;
    if (cpu > CPU_LIMIT) {
      judge.defect("CPU time: seconds=" + cpu / 1e9 + " actions=" + actions);
    }
    List<String> texts = changes.stream().map(FieldMutator.Change::text).toList();
    return new Result(number, seed, texts, judge.defects(), cpu);
  }

  /**
   * Returns the CPU time of all threads of this process, including garbage collection and
   * compilation.
   */
  private static long cpuNanos() {
    try {
      String all = Files.readString(Path.of("/proc/self/stat"));
      // The second field is the name of the program, in parentheses; 14 and 15 are clock ticks.
      String[] fields = all.substring(all.lastIndexOf(')') + 2).split(" ");
      return (Long.parseLong(fields[11]) + Long.parseLong(fields[12])) * NANOS_OF_TICK;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void tagged(
      CaseClassifier judge,
      CaseActions.Action action,
      java.util.function.Consumer<CaseClassifier> what) {
    CaseClassifier one = new CaseClassifier(CASE);
    what.accept(one);
    one.defects().forEach(defect -> judge.defect(action + ": " + defect));
  }

  /** Returns the walk and two other actions, chosen at random. */
  List<CaseActions.Action> actions(long number) {
    SplittableRandom random = new SplittableRandom(~number);
    List<CaseActions.Action> chosen = new ArrayList<>(List.of(CaseActions.Action.WALK));
    CaseActions.Action[] all = CaseActions.Action.values();
    for (int i = 0; i < ACTIONS; i++) {
      chosen.add(all[1 + random.nextInt(all.length - 1)]);
    }
    return chosen;
  }
}
