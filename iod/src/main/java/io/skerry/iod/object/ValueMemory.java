package io.skerry.iod.object;

import io.skerry.iod.engine.Changes;
import java.lang.foreign.Arena;
import java.util.function.Function;

/** Memory for values that are passed to the engine or read from it. Local, thread-safe. */
public final class ValueMemory {
  private ValueMemory() {}

  /**
   * Runs an action with native memory, which is released when the action has ended. If the
   * transport of the engine still uses the memory after a failure, it is never released.
   *
   * @param action the action, which allocates memory that only the calling thread may use
   * @return the result of the action
   */
  public static <T> T using(Function<Arena, T> action) {
    Arena arena = Arena.ofConfined();
    boolean isHeld = false;
    try {
      return action.apply(arena);
    } catch (RuntimeException e) {
      isHeld = e instanceof Changes.HoldsMemory;
      throw e;
    } finally {
      if (!isHeld) {
        arena.close();
      }
    }
  }
}
