package io.skerry.jobs.interchange;

import io.skerry.chunk.FormatException;
import io.skerry.chunk.UnsupportedFeatureException;
import io.skerry.chunk.type.Datatype;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Reads a matrix from Matrix Market coordinate text, line by line: of every field and symmetry. The
 * other half of a symmetric matrix is given out too. Elements of a pattern are 1.
 *
 * <p>Source: Boisvert, Pozo, Remington, The Matrix Market exchange formats, NISTIR 5935.
 */
public final class MatrixMarketSource implements ElementSource {
  private final Path file;
  private final Header header;

  /** What an element on one side of the diagonal says of the other side. */
  private enum Symmetry {
    GENERAL,
    SYMMETRIC,
    SKEW_SYMMETRIC,
    HERMITIAN
  }

  private record Header(
      long[] extent,
      long lines,
      String field,
      Symmetry symmetry,
      Datatype type,
      Optional<byte[]> fill) {}

  private MatrixMarketSource(Path file, Header header) {
    this.file = file;
    this.header = header;
  }

  /**
   * A matrix in a file.
   *
   * @param type of the elements; without it what the comment says, or else 64-bit numbers
   * @throws FormatException if the file has no such head
   */
  public static MatrixMarketSource open(Path file, Optional<Datatype> type) {
    try (BufferedReader in = Files.newBufferedReader(file, StandardCharsets.ISO_8859_1)) {
      return new MatrixMarketSource(file, header(new Lines(in, file), type));
    } catch (IOException e) {
      throw new UncheckedIOException("the text cannot be read: " + e.getMessage(), e);
    }
  }

  /** Lines with their numbers. */
  private static final class Lines {
    private final BufferedReader in;
    private final Path file;
    private long number;

    Lines(BufferedReader in, Path file) {
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
      return new FormatException(what + ", line " + number, expected, actual)
          .inFile(file.toString());
    }
  }

  private static Header header(Lines lines, Optional<Datatype> asked) {
    String banner = lines.next().orElse("").strip();
    List<String> words = Arrays.asList(banner.toLowerCase(Locale.ROOT).split("\\s+"));
    if (words.size() != 5
        || !words.get(0).equals("%%matrixmarket")
        || !words.get(1).equals("matrix")) {
      throw lines.fault(
          "Matrix Market banner", MatrixMarketWriter.BANNER + "FIELD SYMMETRY", banner);
    }
    if (!words.get(2).equals("coordinate")) {
      throw new UnsupportedFeatureException(
          "Matrix Market format " + words.get(2), lines.file.toString());
    }
    Optional<String> comment = Optional.empty();
    Optional<String> line = lines.next();
    while (line.isPresent() && (line.get().isBlank() || line.get().startsWith("%"))) {
      if (line.get().startsWith(MatrixMarketWriter.COMMENT)) {
        comment = line;
      }
      line = lines.next();
    }
    List<String> sizes = Arrays.asList(line.orElse("").strip().split("\\s+"));
    if (sizes.size() != 3) {
      throw lines.fault("size line", "rows, columns, elements", line.orElse("nothing"));
    }
    long[] numbers = new long[3];
    for (int i = 0; i < 3; i++) {
      numbers[i] = whole(lines, sizes.get(i), Long.MAX_VALUE);
    }
    Optional<Datatype> told = comment.flatMap(MatrixMarketSource::commentedType);
    Datatype type = asked.or(() -> told).orElseGet(() -> standard(lines, words.get(3)));
    Optional<byte[]> fill =
        comment.flatMap(MatrixMarketSource::commentedFill).filter(f -> f.length == type.size());
    return new Header(
        new long[] {numbers[0], numbers[1]},
        numbers[2],
        words.get(3),
        symmetry(lines, words.get(4)),
        type,
        asked.isPresent() && !asked.equals(told) ? Optional.empty() : fill);
  }

  private static Optional<Datatype> commentedType(String comment) {
    String rest = comment.substring(MatrixMarketWriter.COMMENT.length());
    int end = rest.indexOf(MatrixMarketWriter.FILL);
    return NumberText.typeOf(end < 0 ? rest.strip() : rest.substring(0, end).strip());
  }

  private static Optional<byte[]> commentedFill(String comment) {
    int at = comment.indexOf(MatrixMarketWriter.FILL);
    try {
      return at < 0
          ? Optional.empty()
          : Optional.of(
              HexFormat.of()
                  .parseHex(comment.substring(at + MatrixMarketWriter.FILL.length()).strip()));
    } catch (IllegalArgumentException notOurs) {
      return Optional.empty();
    }
  }

  private static Datatype standard(Lines lines, String field) {
    return switch (field) {
      case "integer" -> Datatype.I64;
      case "unsigned-integer" -> Datatype.U64;
      case "real", "double" -> Datatype.F64;
      case "complex" -> NumberText.complexOf(Datatype.F64);
      case "pattern" -> Datatype.U8;
      default ->
          throw lines.fault("Matrix Market field", "integer, real, complex or pattern", field);
    };
  }

  private static Symmetry symmetry(Lines lines, String name) {
    return switch (name) {
      case "general" -> Symmetry.GENERAL;
      case "symmetric" -> Symmetry.SYMMETRIC;
      case "skew-symmetric" -> Symmetry.SKEW_SYMMETRIC;
      case "hermitian" -> Symmetry.HERMITIAN;
      default ->
          throw lines.fault(
              "Matrix Market symmetry", "general, symmetric, skew-symmetric or hermitian", name);
    };
  }

  private static long whole(Lines lines, String text, long most) {
    try {
      long number = Long.parseLong(text);
      if (number >= 0 && number <= most) {
        return number;
      }
    } catch (NumberFormatException e) {
      // told below
    }
    throw lines.fault("number", "0.." + most, text);
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
    if (header.symmetry() == Symmetry.GENERAL) {
      return header.lines();
    }
    long[] count = {0};
    forEach(entries -> count[0] += entries.count());
    return count[0];
  }

  @Override
  public void forEach(ElementSink sink) {
    try (BufferedReader in = Files.newBufferedReader(file, StandardCharsets.ISO_8859_1)) {
      Lines lines = new Lines(in, file);
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

  private void element(Lines lines, List<String> parts, Batch batch) {
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
      if (row != column && header.symmetry() != Symmetry.GENERAL) {
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

  /** A coordinate, from 0 on. */
  private static long place(Lines lines, String text, long size) {
    long number = whole(lines, text, size);
    if (number == 0) {
      throw lines.fault("coordinate", "1.." + size, 0);
    }
    return number - 1;
  }

  /** Elements that are passed on when there are enough. */
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
