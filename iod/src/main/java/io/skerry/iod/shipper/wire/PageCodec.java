package io.skerry.iod.shipper.wire;

import io.skerry.exception.FormatException;
import io.skerry.iod.engine.Entry;
import io.skerry.iod.engine.Page;
import io.skerry.iod.engine.Version;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * Encodes pages and lists, the payloads of results. Local, thread-safe.
 *
 * <pre>
 * versions  u32 count n, u8 1 if it is the last page, otherwise 0, n versions
 * entries u32 count n, u8 1 if it is the last page, otherwise 0, n versions, n values, each of the
 * size given by its version numbers   u32 count n, n times u64
 * lines     u32 count n, n texts
 *
 * (version and text as in {@link FieldWriter})
 * </pre>
 */
public final class PageCodec {
  /** The size of the smallest version in bytes: a scratch pad. */
  private static final int SMALLEST_VERSION = Integer.BYTES + 9 + 2 * Long.BYTES;

  private PageCodec() {}

  /** Returns the encoded form of a page of versions. */
  public static byte[] versions(Page<Version> page) {
    FieldWriter to = head(page);
    page.items().forEach(to::version);
    return to.toArray();
  }

  /** Returns the encoded form of a page of values, excluding the values, which follow it. */
  public static byte[] entries(Page<Entry> page) {
    FieldWriter to = head(page);
    page.items().forEach(entry -> to.version(entry.version()));
    return to.toArray();
  }

  private static FieldWriter head(Page<?> page) {
    return new FieldWriter().u32(page.items().size()).u8(page.isLast() ? 1 : 0);
  }

  /** Returns the encoded form of numbers. */
  public static byte[] numbers(List<Long> numbers) {
    FieldWriter to = new FieldWriter().u32(numbers.size());
    numbers.forEach(to::u64);
    return to.toArray();
  }

  /** Returns the encoded form of texts, each cut to 16 KiB. */
  public static byte[] lines(List<String> lines) {
    FieldWriter to = new FieldWriter().u32(lines.size());
    lines.forEach(to::text);
    return to.toArray();
  }

  /**
   * Decodes a page of versions.
   *
   * @throws FormatException if the payload is damaged
   */
  public static Page<Version> readVersions(MemorySegment payload) {
    FieldReader from = new FieldReader(payload);
    int count = from.count("number of versions", SMALLEST_VERSION);
    boolean isLast = from.flag("last page");
    List<Version> found = versions(from, count);
    from.requireEnd();
    return page(found, isLast);
  }

  /**
   * Decodes a page of values, which are parts of the payload.
   *
   * @throws FormatException if the payload is damaged
   */
  public static Page<Entry> readEntries(MemorySegment payload) {
    FieldReader from = new FieldReader(payload);
    int count = from.count("number of versions", SMALLEST_VERSION);
    boolean isLast = from.flag("last page");
    List<Entry> found = new ArrayList<>();
    for (Version version : versions(from, count)) {
      long size =
          version
              .size()
              .orElseThrow(() -> new FormatException("message: version", "a value", version));
      found.add(new Entry(version, from.slice(size)));
    }
    from.requireEnd();
    return page(found, isLast);
  }

  private static List<Version> versions(FieldReader from, int count) {
    List<Version> found = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      found.add(from.version());
    }
    return found;
  }

  private static <T> Page<T> page(List<T> items, boolean isLast) {
    if (!isLast && items.isEmpty()) {
      throw new FormatException("message: items of a page that is not the last", "1 or more", 0);
    }
    return isLast ? Page.last(items) : Page.partial(items);
  }

  /**
   * Decodes numbers.
   *
   * @throws FormatException if the payload is damaged
   */
  public static List<Long> readNumbers(MemorySegment payload) {
    FieldReader from = new FieldReader(payload);
    int count = from.count("number of numbers", Long.BYTES);
    List<Long> found = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      found.add(from.u64());
    }
    from.requireEnd();
    return List.copyOf(found);
  }

  /**
   * Decodes texts.
   *
   * @throws FormatException if the payload is damaged
   */
  public static List<String> readLines(MemorySegment payload) {
    FieldReader from = new FieldReader(payload);
    int count = from.count("number of texts", Integer.BYTES);
    List<String> found = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      found.add(from.text());
    }
    from.requireEnd();
    return List.copyOf(found);
  }
}
