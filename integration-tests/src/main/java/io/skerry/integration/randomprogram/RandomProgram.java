package io.skerry.integration.randomprogram;

import io.skerry.cache.CacheOptions;
import io.skerry.format.FormatBounds;
import io.skerry.integration.random.PickedElements;
import io.skerry.integration.random.SelectionGenerator;
import io.skerry.parallel.FileOptions;
import io.skerry.parallel.WriteMode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/**
 * A random program: sessions from opening to closing, each a list of collective steps. The program
 * is independent of the number of ranks, and the content of the file must be as well.
 *
 * @param seed the seed
 * @param sessions the sessions; the first creates the file
 */
record RandomProgram(long seed, List<Session> sessions) {
  /** The mode in which a session opens the file. */
  enum Access {
    CREATE,
    WRITE,
    READ
  }

  /**
   * The steps from opening to closing the file.
   *
   * @param options the options, often with tiny memory limits
   */
  record Session(Access access, FileOptions options, List<ProgramStep> steps) {}

  RandomProgram {
    sessions = List.copyOf(sessions);
  }

  /** Generates the random program that the given seed determines. */
  static RandomProgram of(long seed, DatasetPlan.Layouts layouts) {
    return new Writer(seed, layouts).program();
  }

  private static final class Writer {
    private final long seed;
    private final DatasetPlan.Layouts layouts;
    private final FormatBounds bounds;
    private final RandomGenerator random;
    private final SelectionGenerator picker;
    private final DatasetPlan.Crowd crowd;
    private final List<DatasetPlan> plans = new ArrayList<>();
    private final List<long[]> extents = new ArrayList<>();

    Writer(long seed, DatasetPlan.Layouts layouts) {
      this.seed = seed;
      this.layouts = layouts;
      FormatBounds[] forms = FormatBounds.values();
      this.bounds = forms[(int) Math.floorMod(seed, (long) forms.length)];
      this.random = new SplittableRandom(seed);
      this.picker = new SelectionGenerator(random);
      this.crowd =
          random.nextBoolean() ? DatasetPlan.Crowd.FEW_CHUNKS : DatasetPlan.Crowd.MANY_CHUNKS;
    }

    RandomProgram program() {
      List<Session> sessions = new ArrayList<>();
      int number = 2 + random.nextInt(3);
      for (int s = 0; s < number; s++) {
        Access access =
            s == 0 ? Access.CREATE : random.nextInt(5) == 0 ? Access.READ : Access.WRITE;
        sessions.add(new Session(access, options(access), steps(access)));
      }
      sessions.add(new Session(Access.READ, options(), List.of(everything())));
      return new RandomProgram(seed, sessions);
    }

    /** Returns random options; sets the format version bounds only for a new file. */
    private FileOptions options(Access access) {
      return access == Access.CREATE ? options().withBounds(bounds) : options();
    }

    private FileOptions options() {
      FileOptions options = FileOptions.standard().withWorkers(1 + random.nextInt(2));
      options =
          switch (crowd) {
            case FEW_CHUNKS ->
                options
                    .withDirtyLimit(limit(1, 2000, 10_000))
                    .withRoundLimit(limit(1, 200, 2000))
                    .withReadLimit(limit(1, 200, 2000));
            case MANY_CHUNKS ->
                options
                    .withDirtyLimit(limit(20_000, 100_000))
                    .withRoundLimit(limit(3000, 20_000))
                    .withReadLimit(limit(500, 5000));
          };
      if (random.nextInt(4) == 0) {
        options = options.withWriteMode(WriteMode.THROUGH);
      }
      FileOptions.Overwriting[] ways = FileOptions.Overwriting.values();
      return options
          .withCache(CacheOptions.standard().withFixedSize(limit(0, 500, 5000)))
          .withOverwriting(ways[random.nextInt(ways.length)])
          .withAheadLimit(limit(1, 500, 3000));
    }

    private long limit(long... tiny) {
      int roll = random.nextInt(tiny.length + 2);
      return roll < tiny.length ? tiny[roll] : 1 << 24;
    }

    private List<ProgramStep> steps(Access access) {
      List<ProgramStep> steps = new ArrayList<>();
      if (access == Access.CREATE) {
        int number = 2 + random.nextInt(3);
        for (int i = 0; i < number; i++) {
          steps.add(create());
        }
      }
      int number = 5 + random.nextInt(8);
      for (int i = 0; i < number; i++) {
        steps.add(access == Access.READ ? look() : change());
      }
      steps.add(everything());
      return steps;
    }

    private ProgramStep create() {
      String path = "/g" + plans.size() % 2 + "/d" + plans.size();
      DatasetPlan plan = DatasetPlan.draw(path, crowd, layouts, bounds, random);
      plans.add(plan);
      extents.add(plan.spec().shape().extent());
      return new ProgramStep.Create(plan);
    }

    private ProgramStep change() {
      int number = random.nextInt(plans.size());
      return switch (random.nextInt(20)) {
        case 0 -> plans.size() < 6 ? create() : look();
        case 1, 2 -> new ProgramStep.Flush();
        case 3, 4, 5 -> {
          if (!plans.get(number).isChunked()) {
            yield look();
          }
          extents.set(number, plans.get(number).reshaped(extents.get(number), random));
          yield new ProgramStep.Extend(number, extents.get(number));
        }
        case 6, 7, 8 ->
            plans.get(number).isSparse() ? new ProgramStep.Erase(number, picks(number)) : look();
        case 9, 10, 11 -> look();
        case 12, 13 -> writeAll();
        default -> write(number);
      };
    }

    private ProgramStep.Write write(int number) {
      return new ProgramStep.Write(number, picks(number), random.nextLong());
    }

    /**
     * Returns a write to a random subset of the datasets, in random order. If the subset is empty,
     * returns a read or a query instead.
     */
    private ProgramStep writeAll() {
      List<Integer> numbers = new ArrayList<>();
      for (int number = 0; number < plans.size(); number++) {
        if (random.nextInt(3) > 0) {
          numbers.add(random.nextInt(numbers.size() + 1), number);
        }
      }
      return numbers.isEmpty()
          ? look()
          : new ProgramStep.WriteAll(numbers.stream().map(this::write).toList());
    }

    private ProgramStep look() {
      int number = random.nextInt(plans.size());
      return random.nextBoolean()
          ? new ProgramStep.Read(number, picks(number))
          : new ProgramStep.Defined(number, picks(number));
    }

    private List<PickedElements> picks(int number) {
      if (random.nextInt(6) == 0) {
        return picker.interleaved(extents.get(number), 1 + random.nextInt(7));
      }
      PickedElements[] picks = new PickedElements[1 + random.nextInt(8)];
      Arrays.setAll(picks, i -> picker.any(extents.get(number)));
      return List.of(picks);
    }

    /** Returns a read of a large part of a dataset. */
    private ProgramStep everything() {
      int number = random.nextInt(plans.size());
      PickedElements wide = picker.wide(extents.get(number));
      return new ProgramStep.Read(number, List.of(wide, wide));
    }
  }
}
