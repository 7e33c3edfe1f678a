package io.skerry.jobs.report;

import io.skerry.NoSuchObjectException;
import io.skerry.chunk.text.PrintableText;
import io.skerry.exception.FormatException;
import io.skerry.exception.MemoryLimitException;
import io.skerry.exception.UnsupportedFeatureException;
import io.skerry.mpi.AgreedFailure;
import io.skerry.mpi.MpiException;
import io.skerry.parallel.EpochExpiredException;
import io.skerry.parallel.UntrustedFileException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.Optional;

/** Formats a failure of any kind as one line of text, optionally followed by its stack trace. */
public final class FailureText {
  /** The system property that enables stack traces. */
  static final String TRACE = "skerry.stacktrace";

  private static final String MISTAKE = "an internal error of skerry, please report it: ";

  private FailureText() {}

  /** Returns the failure as one line, prefixed with the name of the program. */
  public static String line(Throwable failure) {
    return "skerry: " + reason(failure);
  }

  private static String reason(Throwable failure) {
    String message = failure.getMessage();
    return PrintableText.message(message == null ? failure.toString() : message);
  }

  /**
   * Returns whether the class of a failure indicates a cause in files, arguments or the machine.
   * Any other failure is reported as a defect in Skerry, except for a shortage of memory or stack.
   */
  static boolean isExplained(Throwable failure) {
    return failure instanceof AgreedFailure
        || failure instanceof FormatException
        || failure instanceof UnsupportedFeatureException
        || failure instanceof MemoryLimitException
        || failure instanceof NoSuchObjectException
        || failure instanceof UntrustedFileException
        || failure instanceof EpochExpiredException
        || failure instanceof MpiException
        || failure instanceof UncheckedIOException;
  }

  /**
   * Returns the failure as one line, prefixed with the name of the program, and followed by the
   * stack trace if {@link #TRACE} is {@code true}.
   */
  public static String text(Throwable failure) {
    return "skerry: " + unprefixed(failure);
  }

  /** Returns the same text as {@link #text}, without the name of the program. */
  public static String unprefixed(Throwable failure) {
    String line = described(failure);
    return Boolean.getBoolean(TRACE) ? line + System.lineSeparator() + trace(failure) : line;
  }

  private static String described(Throwable failure) {
    if (isExplained(failure)) {
      return reason(failure);
    }
    Optional<Throwable> error = machineError(failure);
    String reason = error.map(Throwable::getMessage).orElse("");
    String text =
        switch (error.orElse(failure)) {
          case StackOverflowError e ->
              "nested too deeply for the stack of a thread: raise=-Xss in SKERRY_JAVA_OPTS";
          case OutOfMemoryError e ->
              "out of memory: reason=%s heapLimit=%d raise=-Xmx in SKERRY_JAVA_OPTS"
                  .formatted(reason, Runtime.getRuntime().maxMemory());
          // The JVM throws this error on an access to a mapped region that the file no longer
          // contains.
          case InternalError e when reason.contains("memory access") ->
              "memory that maps a file cannot be accessed; the file was truncated, or cannot be"
                  + " read: reason="
                  + reason;
          default -> MISTAKE + failure + place(failure);
        };
    return PrintableText.message(text);
  }

  /**
   * Returns the first {@link VirtualMachineError}, such as a shortage of memory or stack, among a
   * failure and its first 15 causes, if any.
   */
  private static Optional<Throwable> machineError(Throwable failure) {
    Optional<Throwable> at = Optional.of(failure);
    for (int i = 0; i < 16 && at.isPresent(); i++) {
      if (at.get() instanceof VirtualMachineError) {
        return at;
      }
      at = Optional.ofNullable(at.get().getCause());
    }
    return Optional.empty();
  }

  private static String place(Throwable failure) {
    StackTraceElement[] trace = failure.getStackTrace();
    return (trace.length == 0 ? "" : " at=" + trace[0])
        + " trace=-D"
        + TRACE
        + "=true in SKERRY_JAVA_OPTS";
  }

  private static String trace(Throwable failure) {
    StringWriter text = new StringWriter();
    failure.printStackTrace(new PrintWriter(text, true));
    return text.toString().stripTrailing();
  }
}
