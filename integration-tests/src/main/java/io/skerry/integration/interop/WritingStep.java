package io.skerry.integration.interop;

import io.skerry.H5File;

/**
 * A collective step of a plan.
 *
 * @param what a description for messages
 * @param action the action; each rank executes its own part of it
 */
public record WritingStep(String what, Action action) {

  /** The action of a step on one rank. */
  @FunctionalInterface
  public interface Action {
    /** Executes the given rank's part of the action. Collective. */
    void perform(H5File file, int rank);
  }

  @Override
  public String toString() {
    return what;
  }
}
