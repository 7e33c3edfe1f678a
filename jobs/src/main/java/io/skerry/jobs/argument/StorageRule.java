package io.skerry.jobs.argument;

import io.skerry.StorageChange;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * A rule for {@code skerry repack}: a change to the storage of one dataset or of all datasets.
 *
 * @param path the absolute path of the dataset; if empty, the rule applies to all datasets that can
 *     be stored in this way, except small datasets and datasets whose elements contain
 *     variable-length data or references
 * @param change the change to the storage
 */
public record StorageRule(Optional<String> path, StorageChange change) {
  /**
   * Parses a rule {@code [PATH=]SHAPE} that sets the chunk shape; its sizes are joined by {@code
   * x}.
   *
   * @throws IllegalArgumentException if the text does not have this form
   */
  public static StorageRule chunk(String text) {
    return of(text, shape -> StorageChange.none().withChunk(sizes(shape)));
  }

  /**
   * Parses a rule {@code [PATH=]FILTERS} that sets the filter pipeline.
   *
   * @throws IllegalArgumentException if the text does not have this form
   */
  public static StorageRule filters(String text) {
    return of(text, spec -> StorageChange.none().withFilters(FilterSyntax.parse(spec)));
  }

  /**
   * Parses a rule {@code [PATH=]compact|contiguous|chunked} that sets the layout. The abbreviations
   * of h5repack, {@code compa}, {@code conti} and {@code chunk}, are also accepted.
   *
   * @throws IllegalArgumentException if the text does not have this form
   */
  public static StorageRule layout(String text) {
    return of(text, name -> StorageChange.none().withLayout(layoutOf(name)));
  }

  /** Parses the part of a rule after the path. */
  private interface Reader {
    StorageChange read(String text);
  }

  private static StorageRule of(String text, Reader reader) {
    int equals = text.startsWith("/") ? text.indexOf('=') : -1;
    if (text.startsWith("/") && equals < 0) {
      throw new IllegalArgumentException("nothing after the path: rule=" + text);
    }
    return equals < 0
        ? new StorageRule(Optional.empty(), reader.read(text))
        : new StorageRule(
            Optional.of(text.substring(0, equals)), reader.read(text.substring(equals + 1)));
  }

  /**
   * Parses a chunk shape: sizes in elements, joined by {@code x}.
   *
   * @throws IllegalArgumentException if the text is not a list of positive numbers
   */
  public static List<Long> sizes(String text) {
    try {
      List<Long> sizes =
          Arrays.stream(text.split("x", -1)).map(size -> Long.parseLong(size.strip())).toList();
      if (sizes.stream().allMatch(size -> size > 0)) {
        return sizes;
      }
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("not sizes joined by x: shape=" + text, e);
    }
    throw new IllegalArgumentException("a chunk has sizes of at least 1: shape=" + text);
  }

  private static StorageChange.Layout layoutOf(String text) {
    return switch (text.toLowerCase(Locale.ROOT)) {
      case "compact", "compa" -> StorageChange.Layout.COMPACT;
      case "contiguous", "conti" -> StorageChange.Layout.CONTIGUOUS;
      case "chunked", "chunk" -> StorageChange.Layout.CHUNKED;
      default ->
          throw new IllegalArgumentException("not compact, contiguous or chunked: layout=" + text);
    };
  }

  /**
   * Returns the combination of two changes; if both change a property, {@code other} takes
   * precedence. The {@link StorageChange.Fit} is always that of {@code one}.
   */
  public static StorageChange joined(StorageChange one, StorageChange other) {
    return new StorageChange(
        other.layout().or(one::layout),
        other.chunk().or(one::chunk),
        other.filters().or(one::filters),
        other.redefinition().or(one::redefinition),
        one.fit());
  }
}
