package io.skerry.jobs.interchange;

import io.skerry.chunk.FormatException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Lines of a text, with their numbers for what is wrong with them. */
final class TextLines {
  private final BufferedReader in;
  private final Path file;
  private long number;

  TextLines(BufferedReader in, Path file) {
    this.in = in;
    this.file = file;
  }

  Optional<String> next() {
    try {
      number++;
      return Optional.ofNullable(in.readLine());
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
