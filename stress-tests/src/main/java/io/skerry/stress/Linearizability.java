package io.skerry.stress;

import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Options;
import org.jetbrains.lincheck.datastructures.StressOptions;

/**
 * Runs random programs of a few operations on two threads. The results must equal those of some
 * sequential order of the same operations on a single-threaded model.
 *
 * <p>{@code -Dskerry.lincheck.programs=N} sets the number of programs; the default is 30.
 */
public final class Linearizability {
  /**
   * The number of iterations at which a loop counts as endless; copying a table takes hundreds of
   * iterations.
   */
  private static final int LOOP_LIMIT = 1000;

  private static final int PROGRAMS = Integer.getInteger("skerry.lincheck.programs", 30);

  private Linearizability() {}

  /**
   * Runs each program with many different context switches, each before an access to shared memory.
   * This search finds rare interleavings, but is too slow for long operations, since accesses
   * within the JDK are also tracked.
   *
   * @param operations a public class with methods marked as operations
   * @param model a public class with methods of the same names and parameters
   * @param schedules the number of schedules for each program; a schedule takes a few milliseconds
   *     for a single lock, and a tenth of a second for a request with streams and futures
   * @throws AssertionError if no sequential order explains the results; the message lists the
   *     context switches
   */
  public static void checkSwitches(Class<?> operations, Class<?> model, int schedules) {
    check(
        new ModelCheckingOptions().invocationsPerIteration(schedules).loopBound(LOOP_LIMIT),
        operations,
        model);
  }

  /**
   * Runs each program many times without controlling the context switches.
   *
   * @param operations as for {@link #checkSwitches}
   * @param model as for {@link #checkSwitches}
   * @throws AssertionError if no sequential order explains the results
   */
  public static void checkRuns(Class<?> operations, Class<?> model) {
    check(new StressOptions().invocationsPerIteration(500), operations, model);
  }

  private static void check(Options<?, ?> options, Class<?> operations, Class<?> model) {
    options
        .iterations(PROGRAMS)
        .threads(2)
        .actorsBefore(2)
        .actorsPerThread(3)
        .actorsAfter(2)
        .sequentialSpecification(model)
        .check(operations);
  }
}
