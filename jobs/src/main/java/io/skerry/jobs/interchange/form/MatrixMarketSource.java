package io.skerry.jobs.interchange.form;

import io.skerry.datatype.Datatype;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Reads a matrix of any field and symmetry from Matrix Market coordinate text, line by line. For a
 * symmetric, skew-symmetric or Hermitian matrix, the elements on both sides of the diagonal are
 * visited. The elements of a pattern matrix are 1.
 *
 * <p>Source: Boisvert, Pozo and Remington, "The Matrix Market exchange formats", NISTIR 5935, 1996.
 */
public final class MatrixMarketSource implements ElementSource {
  private final Path file;
  private final MatrixMarketHeader header;

  private MatrixMarketSource(Path file, MatrixMarketHeader header) {
    this.file = file;
    this.header = header;
  }

  /**
   * Opens the matrix in a file and reads its header.
   *
   * @param type the datatype of the elements; if empty, the datatype in the comment that Skerry
   *     writes, or the default datatype of the field if there is no such comment
   * @throws io.skerry.exception.FormatException if the header is invalid, or if the field is {@code
   *     complex} and the datatype is not
   * @throws io.skerry.exception.UnsupportedFeatureException if the format is not {@code coordinate}
   * @throws UncheckedIOException if the file cannot be read
   */
  public static MatrixMarketSource open(Path file, Optional<Datatype> type) {
    try (BufferedReader in = Files.newBufferedReader(file, StandardCharsets.ISO_8859_1)) {
      return new MatrixMarketSource(file, MatrixMarketHeader.read(new TextLines(in, file), type));
    } catch (IOException e) {
      throw new UncheckedIOException("the text cannot be read: " + e.getMessage(), e);
    }
  }

  @Override
  public long[] extent() {
    return header.extent().clone();
  }

  @Override
  public Datatype datatype() {
    return header.type();
  }

  @Override
  public byte[] fillValue() {
    return header.fill().orElseGet(() -> new byte[header.type().size()]);
  }

  @Override
  public long count() {
    if (header.symmetry() == MatrixMarketHeader.Symmetry.GENERAL) {
      return header.lines();
    }
    long[] count = {0};
    forEach(entries -> count[0] += entries.count());
    return count[0];
  }

  @Override
  public void forEach(ElementSink sink) {
    try (BufferedReader in = Files.newBufferedReader(file, StandardCharsets.ISO_8859_1)) {
      TextLines lines = new TextLines(in, file);
      NumberText numbers = NumberText.of(header.type());
      var sizes = lines.parts();
      Batch batch = new Batch(numbers, sink);
      long read = 0;
      for (Optional<List<String>> parts = lines.parts(); parts.isPresent(); parts = lines.parts()) {
        if (read++ == header.lines()) {
          throw lines.fault("elements behind " + sizes.orElse(List.of()), header.lines(), "more");
        }
        element(lines, parts.get(), batch);
      }
      if (read < header.lines()) {
        throw lines.fault("elements before the end", header.lines(), read);
      }
      batch.finish();
    } catch (IOException e) {
      throw new UncheckedIOException("the text cannot be read: " + e.getMessage(), e);
    }
  }

  private void element(TextLines lines, List<String> parts, Batch batch) {
    int expected =
        switch (header.field()) {
          case "pattern" -> 2;
          case "complex" -> 4;
          default -> 3;
        };
    if (parts.size() != expected) {
      throw lines.fault("parts of an element", expected, parts.size());
    }
    long row = place(lines, parts.get(0), header.extent()[0]);
    long column = place(lines, parts.get(1), header.extent()[1]);
    List<String> value = expected == 2 ? List.of("1") : parts.subList(2, expected);
    try {
      batch.add(row, column, value);
      if (row != column && header.symmetry() != MatrixMarketHeader.Symmetry.GENERAL) {
        place(lines, parts.get(0), header.extent()[1]);
        place(lines, parts.get(1), header.extent()[0]);
        batch.add(column, row, mirrored(value));
      }
    } catch (NumberFormatException e) {
      throw lines.fault("number of type " + header.type(), header.field(), String.join(" ", value));
    }
  }

  private List<String> mirrored(List<String> value) {
    return switch (header.symmetry()) {
      case GENERAL, SYMMETRIC -> value;
      case SKEW_SYMMETRIC -> value.stream().map(MatrixMarketSource::negated).toList();
      case HERMITIAN -> List.of(value.getFirst(), negated(value.getLast()));
    };
  }

  private static String negated(String number) {
    return number.startsWith("-") ? number.substring(1) : "-" + number.replaceFirst("^\\+", "");
  }

  /** Parses a one-based coordinate and returns it as a zero-based coordinate. */
  private static long place(TextLines lines, String text, long size) {
    long number = lines.whole(text, size);
    if (number == 0) {
      throw lines.fault("coordinate", "1.." + size, 0);
    }
    return number - 1;
  }

  /** Collects elements and passes them to a sink in batches. */
  private static final class Batch {
    private final NumberText numbers;
    private final ElementSink sink;
    private final long[] coordinates = new long[2 * Entries.MOST];
    private final MemorySegment values;
    private int count;

    Batch(NumberText numbers, ElementSink sink) {
      this.numbers = numbers;
      this.sink = sink;
      this.values = MemorySegment.ofArray(new byte[Entries.MOST * numbers.size()]);
    }

    void add(long row, long column, List<String> value) {
      numbers.parse(value, values, count);
      coordinates[2 * count] = row;
      coordinates[2 * count + 1] = column;
      count++;
      if (count == Entries.MOST) {
        finish();
      }
    }

    void finish() {
      if (count > 0) {
        sink.accept(
            new Entries(
                2,
                Arrays.copyOf(coordinates, 2 * count),
                values.asSlice(0, (long) count * numbers.size())));
      }
      count = 0;
    }
  }
}
