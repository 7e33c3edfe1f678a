package io.skerry.jobs.interchange.form;

import io.skerry.exception.FormatException;
import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Reads a text line by line and counts the lines for error messages. */
final class TextLines {
  /** The maximum number of characters in a line. */
  private static final int MOST = 1 << 20;

  private final Reader in;
  private final Path file;
  private final char[] buffer = new char[1 << 16];
  private int at;
  private int end;
  private boolean afterReturn;
  private long number;

  TextLines(Reader in, Path file) {
    this.in = in;
    this.file = file;
  }

  /**
   * Returns the next line without its line terminator.
   *
   * @return the line; empty at the end of the text
   * @throws FormatException if the line is too long
   */
  Optional<String> next() {
    number++;
    if (afterReturn && hasMore() && buffer[at] == '\n') {
      at++;
    }
    afterReturn = false;
    if (!hasMore()) {
      return Optional.empty();
    }
    StringBuilder line = new StringBuilder();
    while (hasMore()) {
      int stop = at;
      while (stop < end && buffer[stop] != '\n' && buffer[stop] != '\r') {
        stop++;
      }
      if (line.length() + stop - at > MOST) {
        throw fault("characters of a line", "at most " + MOST, "more");
      }
      line.append(buffer, at, stop - at);
      at = stop;
      if (stop < end) {
        afterReturn = buffer[at++] == '\r';
        break;
      }
    }
    return Optional.of(line.toString());
  }

  /** Returns whether there are more characters, after refilling the buffer if it is empty. */
  private boolean hasMore() {
    try {
      if (at == end) {
        at = 0;
        end = Math.max(0, in.read(buffer));
      }
      return at < end;
    } catch (IOException e) {
      throw new UncheckedIOException("the text cannot be read: " + e.getMessage(), e);
    }
  }

  /**
   * Returns the words of the next line that is neither blank nor a comment; empty at the end of the
   * text.
   */
  Optional<List<String>> parts() {
    Optional<String> line = next();
    while (line.isPresent() && (line.get().isBlank() || line.get().startsWith("%"))) {
      line = next();
    }
    return line.map(text -> Arrays.asList(text.strip().split("\\s+")));
  }

  FormatException fault(String what, Object expected, Object actual) {
    return new FormatException(what + ", line " + number, expected, actual).inFile(file.toString());
  }

  Path file() {
    return file;
  }

  /**
   * Parses an integer.
   *
   * @throws FormatException if the text is not an integer from 0 to {@code most}
   */
  long whole(String text, long most) {
    try {
      long number = Long.parseLong(text);
      if (number >= 0 && number <= most) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Reported below.
    }
    throw fault("number", "0.." + most, text);
  }
}
