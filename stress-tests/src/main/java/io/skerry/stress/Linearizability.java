package io.skerry.stress;

import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.StressOptions;

/**
 * Random programs of a few operations on two threads, whose results must be those of some order of
 * these operations in the model. Each program is run with interleavings that Lincheck chooses, and
 * then many times with those that happen.
 *
 * <p>{@code -Dskerry.lincheck.programs=N} says how many programs.
 */
public final class Linearizability {
  private static final int PROGRAMS = Integer.getInteger("skerry.lincheck.programs", 30);

  private Linearizability() {}

  /**
   * Checks a class of operations.
   *
   * @param operations public class with methods marked as operations
   * @param model public class with methods of the same names and parameters, used by one thread
   * @throws AssertionError if no order explains the results; tells the interleaving
   */
  public static void check(Class<?> operations, Class<?> model) {
    new ModelCheckingOptions()
        .iterations(PROGRAMS)
        .invocationsPerIteration(1000)
        .threads(2)
        .actorsBefore(2)
        .actorsPerThread(3)
        .actorsAfter(2)
        .sequentialSpecification(model)
        .check(operations);
    new StressOptions()
        .iterations(PROGRAMS)
        .invocationsPerIteration(500)
        .threads(2)
        .actorsBefore(2)
        .actorsPerThread(3)
        .actorsAfter(2)
        .sequentialSpecification(model)
        .check(operations);
  }
}
