package io.skerry.jobs;

import io.skerry.NoSuchObjectException;
import io.skerry.chunk.FormatException;
import io.skerry.chunk.UnsupportedFeatureException;
import io.skerry.mpi.AgreedFailure;
import io.skerry.mpi.MpiException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;

/** Failures as text. */
final class Failures {
  private Failures() {}

  /** One line for the person who gave the command. */
  static String line(Throwable failure) {
    String message = failure.getMessage();
    return "skerry: " + (message == null ? failure.toString() : TreeText.printable(message));
  }

  /**
   * Whether the failure is about files, arguments or machines; any other is a mistake in Skerry.
   */
  static boolean isExplained(Throwable failure) {
    return failure instanceof AgreedFailure
        || failure instanceof FormatException
        || failure instanceof UnsupportedFeatureException
        || failure instanceof NoSuchObjectException
        || failure instanceof MpiException
        || failure instanceof UncheckedIOException;
  }

  /** One line for a failure that is explained, the stack trace as well for any other. */
  static String text(Throwable failure) {
    if (isExplained(failure)) {
      return line(failure);
    }
    StringWriter text = new StringWriter();
    text.write("skerry: a mistake in skerry, please report it: ");
    failure.printStackTrace(new PrintWriter(text, true));
    return text.toString().stripTrailing();
  }
}
