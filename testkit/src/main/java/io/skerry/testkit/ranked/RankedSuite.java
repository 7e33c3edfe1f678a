package io.skerry.testkit.ranked;

import io.skerry.mpi.Communicator;
import io.skerry.mpi.Mpi;
import io.skerry.mpi.internal.launch.ProgramArguments;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/**
 * Runs suites inside every process of an MPI job:
 *
 * <pre>mpirun -n 4 java ... io.skerry.testkit.ranked.RankedSuite SUITE_CLASS...</pre>
 *
 * <p>After each case the ranks agree on whether it failed on any of them. Rank 0 prints one line
 * per case and a final line {@code N passed, N failed}; a failing rank prints its stack trace. The
 * exit code is 1 if any case failed or no case was run. If a case takes longer than {@code
 * -Dskerry.case.seconds} (default 60), for example because a rank failed and the others wait for
 * it, each rank prints its stack trace and the job ends. {@code -Dskerry.case=NAME} runs only one
 * case.
 */
public final class RankedSuite {
  private final Communicator world;
  private final PrintStream out;
  private final long secondsPerCase = Long.getLong("skerry.case.seconds", 60);
  private final String only = System.getProperty("skerry.case", "");
  private int passed;
  private int failed;

  private RankedSuite(Communicator world, PrintStream out) {
    this.world = world;
    this.out = out;
  }

  /** Runs the suites of the named classes. */
  public static void main(String[] arguments) {
    var given = ProgramArguments.of(arguments);
    given.exit(
        Mpi.run(arguments, world -> new RankedSuite(world, System.out).run(given.program())));
  }

  private int run(List<String> suites) throws ReflectiveOperationException {
    for (var name : suites) {
      var suite = Class.forName(name).asSubclass(RankedCases.class);
      for (var test : suite.getConstructor().newInstance().cases()) {
        if (only.isEmpty() || only.equals(test.name())) {
          run(suite.getSimpleName(), test);
        }
      }
    }
    if (world.rank() == 0) {
      out.printf("%d passed, %d failed%n", passed, failed);
      out.flush();
    }
    return failed == 0 && passed > 0 ? 0 : 1;
  }

  private void run(String suite, RankedCase test) {
    var label = suite + "." + test.name();
    boolean fine;
    try (var timer = timer(label)) {
      fine = passes(label, test);
      long[] failures = world.allGather(fine ? 0 : 1);
      report(
          label, IntStream.range(0, world.size()).filter(r -> failures[r] != 0).boxed().toList());
      timer.shutdownNow();
    }
  }

  private boolean passes(String label, RankedCase test) {
    var own = world.duplicate();
    try {
      test.body().run(own);
    } catch (Throwable t) {
      // The communicator is not closed, since closing is collective and the other ranks may be in
      // another call.
      var text = new StringWriter();
      text.write("rank %d failed in %s: ".formatted(world.rank(), label));
      t.printStackTrace(new PrintWriter(text, true));
      out.print(text);
      out.flush();
      return false;
    }
    own.close();
    return true;
  }

  private void report(String label, List<Integer> failures) {
    if (failures.isEmpty()) {
      passed++;
    } else {
      failed++;
    }
    if (world.rank() == 0) {
      out.println(failures.isEmpty() ? "ok " + label : "FAILED " + label + " on ranks " + failures);
      out.flush();
    }
  }

  private ScheduledExecutorService timer(String label) {
    var rankThread = Thread.currentThread();
    var timer =
        Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("case-timer").factory());
    var unused = timer.schedule(() -> giveUp(label, rankThread), secondsPerCase, TimeUnit.SECONDS);
    return timer;
  }

  private void giveUp(String label, Thread rankThread) {
    var lines = new ArrayList<String>();
    lines.add("rank %d is still in %s after %d s:".formatted(world.rank(), label, secondsPerCase));
    for (var frame : rankThread.getStackTrace()) {
      lines.add("\tat " + frame);
    }
    out.println(String.join(System.lineSeparator(), lines));
    out.flush();
    // Leave time for the other ranks to print their stack traces, because the launcher ends them
    // together with this rank.
    try {
      Thread.sleep(1000);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    Runtime.getRuntime().halt(1);
  }
}
