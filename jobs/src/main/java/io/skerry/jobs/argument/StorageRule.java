package io.skerry.jobs.argument;

import io.skerry.StorageChange;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * What {@code skerry repack} is to store otherwise: everything, or the dataset at a path.
 *
 * @param path of the dataset; empty for all
 */
public record StorageRule(Optional<String> path, StorageChange change) {
  /**
   * A rule as typed: {@code [PATH=]SHAPE}, the sizes joined by {@code x}.
   *
   * @throws IllegalArgumentException if it is none
   */
  public static StorageRule chunk(String text) {
    return of(text, shape -> StorageChange.none().withChunk(sizes(shape)));
  }

  /** As {@link #chunk}: {@code [PATH=]FILTERS}. */
  public static StorageRule filters(String text) {
    return of(text, spec -> StorageChange.none().withFilters(FilterSyntax.parse(spec)));
  }

  /** As {@link #chunk}: {@code [PATH=]compact|contiguous|chunked}. */
  public static StorageRule layout(String text) {
    return of(text, name -> StorageChange.none().withLayout(layoutOf(name)));
  }

  /** How a part of a rule is read. */
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

  /** The sizes of a chunk. */
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

  /** Both rules in one; the other's parts win. */
  public static StorageChange joined(StorageChange one, StorageChange other) {
    return new StorageChange(
        other.layout().or(one::layout),
        other.chunk().or(one::chunk),
        other.filters().or(one::filters),
        other.redefinition().or(one::redefinition),
        one.fit());
  }
}
