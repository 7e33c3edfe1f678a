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
 * Uses files in every way for a time, in a process of its own whose resources are watched.
 *
 * <pre>SoakMain FOLDER SECONDS SEED DUTY</pre>
 *
 * DUTY is the part of the time, in percent, that is not spent asleep. Round after round of {@link
 * SoakRound} runs, in turn. A fifth of the time, and at least one round of each kind, warms the JVM
 * up; then footprints are taken evenly, 40 of them or one after each round. Prints them, the counts
 * and the trend. Exit code 0 if every result was right and no resource grows.
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

  /** A failure names the round, which repeats with its seed. */
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
