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

/** Turns failures of steps into findings, so that the next step can be taken. */
final class Findings {
  private final Verification.Watcher watcher;
  private final Set<RuntimeException> reported = Collections.newSetFromMap(new IdentityHashMap<>());

  Findings(Verification.Watcher watcher) {
    this.watcher = watcher;
  }

  /** Where a step looks: its finding is there unless the failure knows better. */
  record Place(long address, String structure, ObjectPath path) {
    /** A place in what belongs to the whole file. */
    Place(long address, String structure) {
      this(address, structure, ObjectPath.ROOT);
    }
  }

  void add(Place at, String what, Object expected, Object actual) {
    watcher.finding(
        new Verification.Finding(
            at.address,
            at.structure,
            at.path.shown(),
            what,
            String.valueOf(expected),
            String.valueOf(actual)));
  }

  /** What is met from here on is of another object than before. */
  void nextObject() {
    reported.clear();
  }

  /** A damaged message, which fails again for all who ask for it, but is told once. */
  void damaged(Place at, RuntimeException fault) {
    add(at, fault);
    reported.add(fault);
  }

  void checked(long bytes) {
    watcher.checked(bytes);
  }

  /** Takes a step; tells whether it went well. */
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
      // A file can claim any size; what is beside this structure may still fit.
      add(at, MemoryLimit.exhausted(e));
      return false;
    }
  }

  /**
   * A failure as a finding, unless it is that of a damaged message. A feature that cannot be read
   * leaves something unchecked.
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
