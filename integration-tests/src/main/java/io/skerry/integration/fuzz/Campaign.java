package io.skerry.integration.fuzz;

import io.skerry.exception.FormatException;
import io.skerry.exception.MemoryLimitException;
import io.skerry.exception.UnsupportedFeatureException;
import io.skerry.parallel.CollectiveException;
import io.skerry.parallel.UntrustedFileException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Reads damaged files and counts outcomes. Each mutation has a number, which is also its seed, and
 * damages the file at index {@code number mod files.size()}. The number alone is therefore enough
 * to reproduce a mutation.
 */
public final class Campaign implements AutoCloseable {
  /** A reader of the whole content of a damaged file. */
  @FunctionalInterface
  public interface Reader {
    void read(Path file) throws Exception;
  }

  /**
   * A mutation that revealed a defect.
   *
   * @param number the number of the mutation
   * @param file the intact file
   * @param what the exception, or a message that reading exceeded the time limit
   */
  public record Finding(long number, Path file, String what) {}

  private final List<Path> files;
  private final List<Mutator> mutators = new ArrayList<>();
  private final Reader reader;
  private final Duration limit;
  private final Path scratch;
  private final Map<Outcome, Long> counts = new EnumMap<>(Outcome.class);
  private final List<Finding> findings = new ArrayList<>();
  private ExecutorService thread = Executors.newSingleThreadExecutor(Campaign::daemon);

  /**
   * Prepares a campaign.
   *
   * @param files intact files
   * @param reader the reader of the damaged files
   * @param limit the time limit for reading a file
   * @param scratch a folder for the damaged files
   */
  public Campaign(List<Path> files, Reader reader, Duration limit, Path scratch) {
    this.files = List.copyOf(files);
    this.reader = reader;
    this.limit = limit;
    this.scratch = scratch;
    try {
      for (Path file : files) {
        mutators.add(new Mutator(Files.readAllBytes(file)));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Thread daemon(Runnable body) {
    return Thread.ofPlatform().daemon().name("damaged-file-reader").unstarted(body);
  }

  /**
   * Reads the damaged files of the mutations with the numbers {@code first} to {@code first + count
   * - 1}.
   */
  public void run(long first, long count) throws IOException, InterruptedException {
    for (long number = first; number < first + count; number++) {
      counts.merge(one(number), 1L, Long::sum);
    }
  }

  /** Returns the bytes of the damaged file for the given mutation number. */
  public byte[] mutation(long number) {
    return mutators.get(Math.floorMod(number, files.size())).mutate(number);
  }

  private Outcome one(long number) throws IOException, InterruptedException {
    Path damaged = scratch.resolve("damaged.h5");
    Files.write(damaged, mutation(number));
    Future<Throwable> done = thread.submit(() -> failure(damaged));
    try {
      return judge(number, done.get(limit.toMillis(), TimeUnit.MILLISECONDS));
    } catch (TimeoutException e) {
      find(number, "not done in " + limit + stuck());
      thread.shutdownNow();
      thread = Executors.newSingleThreadExecutor(Campaign::daemon);
      return Outcome.HANG;
    } catch (ExecutionException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Returns the throwable of the reader, or a {@link Success} if there is none. */
  private Throwable failure(Path damaged) {
    try {
      reader.read(damaged);
      return new Success();
    } catch (Throwable e) {
      return e;
    }
  }

  private static final class Success extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  private Outcome judge(long number, Throwable failure) {
    if (failure instanceof Success) {
      return Outcome.READ;
    }
    // The cause of a CollectiveException is the failure of this rank. If a source of a virtual
    // dataset failed, that cause is itself a CollectiveException.
    Throwable met = failure;
    while (met instanceof CollectiveException told && told.getCause() != null) {
      met = told.getCause();
    }
    if (met instanceof FormatException) {
      return Outcome.DAMAGED;
    }
    if (met instanceof UnsupportedFeatureException
        || met instanceof MemoryLimitException
        || met instanceof UntrustedFileException) {
      return Outcome.UNSUPPORTED;
    }
    StackTraceElement[] trace = failure.getStackTrace();
    String where =
        trace.length == 0 ? "" : " at " + trace[0] + (trace.length > 1 ? " < " + trace[1] : "");
    find(number, failure + where);
    return Outcome.DEFECT;
  }

  /**
   * Returns the top stack frame of each reader thread, including those that exceeded the time limit
   * earlier and still run.
   */
  private static String stuck() {
    StringBuilder where = new StringBuilder();
    Thread.getAllStackTraces()
        .forEach((stuck, trace) -> {
          if (stuck.getName().equals("damaged-file-reader") && trace.length > 0) {
            where.append(" at ").append(trace[0]);
          }
        });
    return where.toString();
  }

  private void find(long number, String what) {
    findings.add(new Finding(number, files.get(Math.floorMod(number, files.size())), what));
  }

  /** Returns the number of mutations with each outcome. */
  public Map<Outcome, Long> counts() {
    return Map.copyOf(counts);
  }

  /** Returns the mutations that revealed a defect. */
  public List<Finding> findings() {
    return List.copyOf(findings);
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }
}
