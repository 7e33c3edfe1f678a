package io.skerry.integration.matrix;

import io.skerry.integration.random.SelectionGenerator;
import io.skerry.testkit.oracle.Expectations;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/**
 * An array that {@code check_matrix.py} must find; one line of the script's input.
 *
 * @param file the name of the file, in the folder of the input
 * @param path the path of the dataset
 * @param member the member of a compound; {@code -} for whole elements, {@code text} for strings
 * @param extent the extent, with its sizes separated by commas
 * @param digest the SHA-256 digest of all values in row-major order; numbers are encoded as
 *     little-endian i64, and each string is followed by a line feed
 */
public record ExpectedArray(String file, String path, String member, String extent, String digest) {

  static List<ExpectedArray> of(DatasetUnderTest subject, Path file) {
    PlainArray expected = subject.expected();
    long[] numbers = expected.numbers(SelectionGenerator.all(expected.extent()));
    List<ExpectedArray> arrays = new ArrayList<>();
    if (subject.storing().holdsTexts()) {
      String texts =
          LongStream.of(numbers)
              .mapToObj(number -> DatasetUnderTest.text(number) + "\n")
              .collect(Collectors.joining());
      arrays.add(line(subject, file, "text", texts.getBytes(StandardCharsets.US_ASCII)));
      return arrays;
    }
    int width = expected.width();
    for (int member = 0; member < width; member++) {
      ByteBuffer bytes =
          ByteBuffer.allocate(8 * numbers.length / width).order(ByteOrder.LITTLE_ENDIAN);
      for (int i = member; i < numbers.length; i += width) {
        bytes.putLong(numbers[i]);
      }
      String name = width == 1 ? "-" : "abc".substring(member, member + 1);
      arrays.add(line(subject, file, name, bytes.array()));
    }
    return arrays;
  }

  private static ExpectedArray line(
      DatasetUnderTest subject, Path file, String member, byte[] bytes) {
    String extent =
        Arrays.stream(subject.expected().extent())
            .mapToObj(Long::toString)
            .collect(Collectors.joining(","));
    return new ExpectedArray(
        file.getFileName().toString(), subject.path(), member, extent, Expectations.sha256(bytes));
  }

  /** Returns the fields, separated by tabs. */
  public String line() {
    return String.join("\t", file, path, member, extent, digest);
  }
}
