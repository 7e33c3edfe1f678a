package io.skerry.integration.fuzz;

import io.skerry.NoSuchObjectException;
import io.skerry.exception.FormatException;
import io.skerry.exception.MemoryLimitException;
import io.skerry.exception.UnsupportedFeatureException;
import io.skerry.mpi.AgreedFailure;
import io.skerry.parallel.UntrustedFileException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Distinguishes documented refusals of a file from defects. */
final class CaseClassifier {
  /** Texts of exceptions and of the JVM that must not occur in a message for users. */
  private static final Pattern RAW =
      Pattern.compile(
          "an internal error of skerry|nested too deeply|java\\.lang|\\bat io\\.skerry\\.|out of memory"
              + "|Java heap space|out of bounds|Out of bound|integer overflow|long overflow"
              + "|Cannot invoke|/ by zero"
              + "|array size exceeds|NegativeArray|ClassCast|NullPointer|StackOverflow"
              + "|[=:] null\\b|wrong arguments|Exception");

  /**
   * Prefix of the refusal of a file that is open for writing and is a source of its own virtual
   * datasets.
   */
  private static final String LOCKED = "the file is open for writing elsewhere: ";

  /** A part of the refusals of writes to elements that no mapping or several mappings contain. */
  private static final String UNWRITABLE = " cannot be changed: elements=";

  /** Prefix of the names of files to which the changed file may refer. */
  private static final String OTHERS = "part-";

  private final String file;
  private final List<String> defects = new ArrayList<>();

  /**
   * @param file the name that each refusal must contain, unless it concerns another file
   */
  CaseClassifier(String file) {
    this.file = file;
  }

  void failed(Throwable failure) {
    Throwable met = failure;
    while (met.getCause() != null
        && (met instanceof AgreedFailure
            || met.getClass().getSimpleName().equals("ChunkAccessException"))) {
      met = met.getCause();
    }
    if (Boolean.getBoolean("skerry.fuzz.trace")) {
      met.printStackTrace();
    }
    boolean documented =
        met instanceof FormatException
            || met instanceof UnsupportedFeatureException
            || met instanceof NoSuchObjectException
            || met instanceof UncheckedIOException
            || met instanceof UntrustedFileException
            || met instanceof MemoryLimitException
            || met instanceof AgreedFailure
            || String.valueOf(met.getMessage()).contains(UNWRITABLE)
            || String.valueOf(met.getMessage()).startsWith(LOCKED);
    if (!documented) {
      defects.add(met + place(met));
    } else {
      String message = String.valueOf(failure.getMessage());
      said(message);
      if (!message.contains(file) && !message.contains(OTHERS)) {
        defects.add("does not name the file: " + message);
      }
    }
  }

  void said(String text) {
    Matcher raw = RAW.matcher(text);
    if (raw.find()) {
      int from = Math.max(0, raw.start() - 200);
      defects.add("said: " + text.substring(from, Math.min(text.length(), raw.start() + 600)));
    }
  }

  void defect(String what) {
    defects.add(what);
  }

  List<String> defects() {
    return List.copyOf(defects);
  }

  private static String place(Throwable met) {
    StringBuilder text = new StringBuilder();
    StackTraceElement[] trace = met.getStackTrace();
    for (int i = 0; i < Math.min(Integer.getInteger("skerry.fuzz.frames", 9), trace.length); i++) {
      text.append(" < ").append(trace[i]);
    }
    return text.toString();
  }
}
