package io.skerry.stress;

import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Options;
import org.jetbrains.lincheck.datastructures.StressOptions;

/**
 * Random programs of a few operations on two threads, whose results must be those of some order of
 * these operations in a model for one thread.
 *
 * <p>{@code -Dskerry.lincheck.programs=N} says how many programs.
 */
public final class Linearizability {
  private static final int PROGRAMS = Integer.getInteger("skerry.lincheck.programs", 30);

  private Linearizability() {}

  /**
   * Runs each program with many different switches from one thread to the other, before any access
   * to shared memory. Finds what hardly ever happens; too slow for operations that do much, since
   * it follows them into the JDK.
   *
   * @param operations public class with methods marked as operations
   * @param model public class with methods of the same names and parameters
   * @param schedules how many ways to switch are tried for each program; a few milliseconds each
   *     for one lock, a tenth of a second where a request goes through streams and futures
   * @throws AssertionError if no order explains the results; tells the switches
   */
  public static void checkSwitches(Class<?> operations, Class<?> model, int schedules) {
    check(new ModelCheckingOptions().invocationsPerIteration(schedules), operations, model);
  }

  /**
   * Runs each program many times and takes what happens.
   *
   * @param operations as for {@link #checkSwitches}
   * @param model likewise
   * @throws AssertionError if no order explains the results
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
