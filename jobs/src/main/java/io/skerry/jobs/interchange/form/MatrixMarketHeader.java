package io.skerry.jobs.interchange.form;

import io.skerry.datatype.Datatype;
import io.skerry.exception.UnsupportedFeatureException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The header of a Matrix Market file: banner, comments and size line.
 *
 * @param extent the number of rows and of columns
 * @param lines the number of listed elements
 * @param field the kind of the elements, as in the banner
 * @param symmetry the symmetry of the matrix
 * @param type the datatype of the elements
 * @param fill the bytes of the fill value, the value of elements that are not listed; empty if the
 *     comments do not contain a fill value of this datatype
 */
record MatrixMarketHeader(
    long[] extent,
    long lines,
    String field,
    Symmetry symmetry,
    Datatype type,
    Optional<byte[]> fill) {

  /** The relation between elements on opposite sides of the diagonal. */
  enum Symmetry {
    GENERAL,
    SYMMETRIC,
    SKEW_SYMMETRIC,
    HERMITIAN
  }

  /**
   * Reads the banner, the comments and the size line.
   *
   * @param asked the datatype of the elements; if empty, the datatype in the comment that Skerry
   *     writes, or the default datatype of the field if there is no such comment
   * @throws io.skerry.exception.FormatException if the header is invalid, or if the field is {@code
   *     complex} and the datatype is not
   * @throws io.skerry.exception.UnsupportedFeatureException if the format is not {@code coordinate}
   */
  static MatrixMarketHeader read(TextLines lines, Optional<Datatype> asked) {
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
          "Matrix Market format " + words.get(2), lines.file().toString());
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
      numbers[i] = lines.whole(sizes.get(i), Long.MAX_VALUE);
    }
    Optional<Datatype> commented = comment.flatMap(MatrixMarketHeader::commentedType);
    Datatype standard = standard(lines, words.get(3));
    Datatype type = asked.or(() -> commented).orElse(standard);
    if (NumberText.isComplex(standard) && !NumberText.isComplex(type)) {
      throw lines.fault("type of complex elements", NumberText.nameOf(standard), type);
    }
    Optional<byte[]> fill =
        comment.flatMap(MatrixMarketHeader::commentedFill).filter(f -> f.length == type.size());
    return new MatrixMarketHeader(
        new long[] {numbers[0], numbers[1]},
        numbers[2],
        words.get(3),
        symmetry(lines, words.get(3), words.get(4)),
        type,
        asked.isPresent() && !asked.equals(commented) ? Optional.empty() : fill);
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

  private static Datatype standard(TextLines lines, String field) {
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

  private static Symmetry symmetry(TextLines lines, String field, String name) {
    if (name.equals("hermitian") && !field.equals("complex")) {
      throw lines.fault("field of a hermitian matrix", "complex", field);
    }
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
}
