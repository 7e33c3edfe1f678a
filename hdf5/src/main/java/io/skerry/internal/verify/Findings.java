package io.skerry.internal.verify;

import io.skerry.Verification;
import io.skerry.chunk.bytes.MemoryLimit;
import io.skerry.exception.FormatException;
import io.skerry.exception.MemoryLimitException;
import io.skerry.exception.UnsupportedFeatureException;
import io.skerry.parallel.UntrustedFileException;
import io.skerry.spi.ObjectPath;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;

/**
 * Reports failures of steps as findings, so that the verification continues with the next step. An
 * exception that the watcher throws is not a failure of a step: it passes through all steps as a
 * {@link WatcherFailure}.
 */
final class Findings {
  private final Verification.Watcher watcher;
  private final Set<RuntimeException> reported = Collections.newSetFromMap(new IdentityHashMap<>());

  Findings(Verification.Watcher watcher) {
    this.watcher = watcher;
  }

  /**
   * The structure that a step verifies. Findings of the step report the location of this structure,
   * unless the failure contains a more precise address.
   */
  record Place(long address, String structure, ObjectPath path) {
    /** Creates a place for a structure that belongs to no single object. */
    Place(long address, String structure) {
      this(address, structure, ObjectPath.ROOT);
    }
  }

  void add(Place at, String what, Object expected, Object actual) {
    Verification.Finding found = finding(at, what, expected, actual);
    WatcherFailure.carrying(() -> watcher.finding(found));
  }

  private static Verification.Finding finding(
      Place at, String what, Object expected, Object actual) {
    return new Verification.Finding(
        at.address,
        at.structure,
        at.path.shown(),
        what,
        String.valueOf(expected),
        String.valueOf(actual));
  }

  /** Reports a circumstance that is not a defect of the file. */
  void note(Place at, String what, Object expected, Object actual) {
    Verification.Finding noted = finding(at, what, expected, actual);
    WatcherFailure.carrying(() -> watcher.note(noted));
  }

  /** Begins the verification of the next object. */
  void nextObject() {
    reported.clear();
  }

  /**
   * Reports a damaged header message. Later steps on the same object do not report the exception
   * again.
   */
  void damaged(Place at, RuntimeException fault) {
    add(at, fault);
    reported.add(fault);
  }

  void checked(long bytes) {
    WatcherFailure.carrying(() -> watcher.checked(bytes));
  }

  /** Runs a step; returns whether it succeeded. */
  boolean check(Place at, Runnable step) {
    try {
      step.run();
      return true;
    } catch (FormatException
        | UnsupportedFeatureException
        | UntrustedFileException
        | MemoryLimitException e) {
      add(at, e);
      return false;
    } catch (OutOfMemoryError e) {
      // A damaged file can claim any size for a structure; other structures may still fit into
      // memory.
      add(at, MemoryLimit.exhausted(e));
      return false;
    }
  }

  /** Runs a step whose failure was already reported and is not reported again. */
  static void discarding(Runnable step) {
    new Findings(_ -> {}).check(new Place(0, ""), step);
  }

  /**
   * Reports a failure as a finding, unless it was caused by a damaged message that was already
   * reported. A feature that Skerry does not support is also a finding, since part of the file was
   * not verified.
   */
  void add(Place at, RuntimeException failure) {
    if (reported.contains(failure)) {
      return;
    }
    if (failure instanceof FormatException e) {
      Place exact = new Place(e.address().orElse(at.address), at.structure, at.path);
      String part = e.object().filter(name -> !at.path.shown().equals(name)).orElse("");
      boolean known = part.isEmpty() || at.structure.startsWith(part) || e.what().startsWith(part);
      add(exact, known ? e.what() : part + ": " + e.what(), e.expected(), e.actual());
    } else if (failure instanceof UntrustedFileException) {
      add(at, "not checked", "a file that is trusted", String.valueOf(failure.getMessage()));
    } else if (failure instanceof MemoryLimitException) {
      add(at, "cannot be checked", "memory for it", String.valueOf(failure.getMessage()));
    } else {
      add(
          at,
          "cannot be checked",
          "a form that Skerry reads",
          String.valueOf(failure.getMessage()));
    }
  }
}
