package io.skerry.integration.interop;

import io.skerry.H5File;

/**
 * One thing that all ranks do together.
 *
 * @param what for people
 * @param action what it is; knows every rank's part
 */
public record WritingStep(String what, Action action) {

  /** Does the part of one rank. */
  @FunctionalInterface
  public interface Action {
    /** Collective. */
    void perform(H5File file, int rank);
  }

  @Override
  public String toString() {
    return what;
  }
}
