package io.skerry.iod.damage;

import io.skerry.NoSuchObjectException;
import io.skerry.exception.FormatException;
import io.skerry.exception.MemoryLimitException;
import io.skerry.exception.UnsupportedFeatureException;
import io.skerry.iod.engine.ContainerException;
import io.skerry.iod.engine.EngineException;
import io.skerry.mpi.AgreedFailure;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Distinguishes documented refusals of a damaged container from defects. Not thread-safe. */
final class DamageJudge {
  /** Texts that must not occur in a message for users. */
  private static final Pattern RAW =
      Pattern.compile(
          "java\\.|\\bat io\\.skerry\\.|heap space|out of bound|Out of bound|overflow|Cannot invoke"
              + "|/ by zero|array size|NegativeArray|ClassCast|NullPointer|[=:] null\\b|Exception");

  /** The refusal of an operation on a file after a failed change. */
  private static final String BROKEN = "an earlier change or flush has failed";

  private static final int FRAMES = 10;

  private final String name;
  private final List<String> defects = new ArrayList<>();
  private int refusals;
  private long demanded;

  /**
   * Creates a judge.
   *
   * @param name a part of the path of the container, which each refusal must name
   */
  DamageJudge(String name) {
    this.name = name;
  }

  /** Notes the size of values that a case reads, which has to allocate memory for them. */
  void demands(double bytes) {
    demanded += (long) bytes;
  }

  /** Returns the size of the values that the case has read, in bytes. */
  long demanded() {
    return demanded;
  }

  /** Runs a step, and judges its failure. */
  void attempt(String what, Runnable step) {
    try {
      step.run();
    } catch (Throwable e) {
      failed(what, e);
    }
  }

  private void failed(String what, Throwable failure) {
    Throwable met = failure;
    while (met instanceof AgreedFailure && met.getCause() != null) {
      met = met.getCause();
    }
    String message = String.valueOf(failure.getMessage());
    if (!isDocumented(met)) {
      defects.add(what + ": " + met + place(met));
    } else if (!message.contains(name)) {
      defects.add(what + ": does not name the container: " + message + place(met));
    } else {
      refusals += met instanceof NoSuchObjectException ? 0 : 1;
      said(what, message);
    }
  }

  private static boolean isDocumented(Throwable met) {
    return met instanceof FormatException
        || met instanceof UnsupportedFeatureException
        || met instanceof NoSuchObjectException
        || met instanceof MemoryLimitException
        || met instanceof ContainerException
        || met instanceof EngineException
        || (met instanceof IllegalStateException
            && String.valueOf(met.getMessage()).contains(BROKEN));
  }

  /** Judges a text for users. */
  void said(String what, String text) {
    Matcher raw = RAW.matcher(text);
    if (raw.find()) {
      defects.add(what + " said: " + text);
    }
  }

  void defect(String what) {
    defects.add(what);
  }

  List<String> defects() {
    return defects;
  }

  /** Returns the number of refusals, without those of links to nothing. */
  int refusals() {
    return refusals;
  }

  private static String place(Throwable met) {
    return Arrays.stream(met.getStackTrace())
        .limit(FRAMES)
        .map(StackTraceElement::toString)
        .collect(Collectors.joining(" < ", " < ", ""));
  }
}
