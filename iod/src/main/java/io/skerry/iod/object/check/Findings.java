package io.skerry.iod.object.check;

import io.skerry.chunk.text.PrintableText;
import io.skerry.exception.FormatException;
import io.skerry.exception.UnsupportedFeatureException;
import io.skerry.iod.engine.EngineException;
import java.util.function.Consumer;

/** Passes on the findings of a verification, one line each, and counts them. Not thread-safe. */
final class Findings {
  private final Consumer<String> lines;
  private long count;

  /**
   * Creates an empty list.
   *
   * @param lines receives the findings; what it throws is a {@link CarriedFailure}, since {@link
   *     #run} would take another exception for damage
   */
  Findings(Consumer<String> lines) {
    this.lines = lines;
  }

  void add(String kind, String details) {
    count++;
    lines.accept(kind + ": " + PrintableText.text(details));
  }

  long count() {
    return count;
  }

  /** Runs a step of the verification; damage that it encounters is a finding and ends the step. */
  void run(Runnable step) {
    try {
      step.run();
    } catch (FormatException e) {
      add("damaged", String.valueOf(e.getMessage()));
    } catch (UnsupportedFeatureException e) {
      add("not checked", String.valueOf(e.getMessage()));
    } catch (EngineException e) {
      if (e.fault() != EngineException.Fault.DAMAGED) {
        throw e;
      }
      add("damaged", String.valueOf(e.getMessage()));
    }
  }
}
