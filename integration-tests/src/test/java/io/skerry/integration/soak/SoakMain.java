package io.skerry.integration.soak;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/**
 * Runs all kinds of {@link SoakRound} in turn, in a separate process whose resources are monitored.
 *
 * <pre>SoakMain FOLDER SECONDS SEED DUTY</pre>
 *
 * DUTY is the percentage of the time that the process does not sleep. The warm-up takes a fifth of
 * the time, and at least one round of each kind. Then up to 40 footprints are taken at regular
 * intervals, at most one after each round. Prints the footprints, the counts and the trend. The
 * exit code is 0 if every result is correct, no resource grows, and an interrupt ended at least one
 * operation.
 */
public final class SoakMain {
  private static final int FOOTPRINTS = 40;
  private static final int FEWEST_FOOTPRINTS = 8;
  private static final long SECOND = 1_000_000_000;

  private final Duration time;
  private final int duty;
  private final FootprintTrend trend = new FootprintTrend();
  private final long start = System.nanoTime();
  private final Map<SoakRound, Long> ended = new EnumMap<>(SoakRound.class);
  private long rounds;

  private SoakMain(Duration time, int duty) {
    this.time = time;
    this.duty = duty;
  }

  public static void main(String[] args) throws IOException {
    Path folder = Path.of(args[0]);
    SoakMain main =
        new SoakMain(Duration.ofSeconds(Long.parseLong(args[1])), Integer.parseInt(args[3]));
    System.exit(main.run(folder, Long.parseLong(args[2])) ? 0 : 1);
  }

  private boolean run(Path folder, long seed) throws IOException {
    try (LongOpenFile standing = LongOpenFile.create(Files.createDirectories(folder))) {
      SoakRound[] all = SoakRound.values();
      while (elapsed() < time.toNanos() || trend.size() < FEWEST_FOOTPRINTS) {
        SoakRound round = all[(int) (rounds % all.length)];
        long begun = System.nanoTime();
        ended.merge(round, play(round, folder, standing, seed + rounds), Long::sum);
        rounds++;
        rest(System.nanoTime() - begun);
        if (rounds >= all.length && elapsed() > nextFootprint()) {
          Footprint footprint = Footprint.take();
          trend.add(footprint);
          System.out.println(elapsed() / SECOND + " s, " + rounds + " rounds: " + footprint);
        }
      }
      report(standing);
    }
    List<String> growth = trend.growth();
    growth.forEach(System.out::println);
    boolean disturbed = ended.values().stream().anyMatch(operations -> operations > 0);
    if (!disturbed) {
      System.out.println("no interrupt ended any operation");
    }
    return growth.isEmpty() && disturbed;
  }

  /** Plays a round; a failure names the round and the seed that repeats it. */
  private static long play(SoakRound round, Path folder, LongOpenFile standing, long seed)
      throws IOException {
    try {
      return round.play(folder, standing, seed);
    } catch (AssertionError | RuntimeException e) {
      throw new AssertionError("round=" + round + " seed=" + seed, e);
    }
  }

  private long elapsed() {
    return System.nanoTime() - start;
  }

  private long nextFootprint() {
    long warm = time.toNanos() / 5;
    return warm + (time.toNanos() - warm) / FOOTPRINTS * trend.size();
  }

  private void rest(long worked) {
    LockSupport.parkNanos(worked * (100 - duty) / duty);
  }

  private void report(LongOpenFile standing) {
    System.out.print(trend.table());
    System.out.println(
        "soaked seconds="
            + elapsed() / SECOND
            + " rounds="
            + rounds
            + " footprints="
            + trend.size()
            + " "
            + standing);
    System.out.println("operations ended by interrupts: " + ended);
  }
}
