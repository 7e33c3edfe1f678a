package io.skerry.jobs.interchange.form;

import io.skerry.exception.FormatException;
import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Lines of a text, with their numbers for what is wrong with them. */
final class TextLines {
  /** Most characters of a line: far more than any number has. */
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
   * The next line, without what ends it.
   *
   * @throws FormatException if it is too long for a line
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

  /** Whether there is a character left. */
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

  /** The next line that says something, in its parts. */
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

  /** A whole number that is not negative. */
  long whole(String text, long most) {
    try {
      long number = Long.parseLong(text);
      if (number >= 0 && number <= most) {
        return number;
      }
    } catch (NumberFormatException e) {
      // told below
    }
    throw fault("number", "0.." + most, text);
  }
}
