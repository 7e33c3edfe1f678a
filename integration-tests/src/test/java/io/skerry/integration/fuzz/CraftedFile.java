package io.skerry.integration.fuzz;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.exception.FormatException;
import io.skerry.parallel.CollectiveException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.function.Executable;

/** A valid file in which a test changes fields; storing it recomputes the checksums. */
final class CraftedFile {
  private final Path path;
  private final ByteBuffer bytes;
  private final ChecksummedBlocks blocks;
  private final TreeSet<Integer> changed = new TreeSet<>();

  private CraftedFile(Path path, byte[] bytes) {
    this.path = path;
    this.bytes = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    this.blocks = ChecksummedBlocks.of(bytes);
  }

  static CraftedFile of(Path path) {
    try {
      return new CraftedFile(path, Files.readAllBytes(path));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the position of a text that occurs once. */
  int only(String text) {
    return only(text.getBytes(StandardCharsets.ISO_8859_1));
  }

  /** Returns the position of bytes that occur once. */
  int only(byte... wanted) {
    List<Integer> found = all(wanted);
    assertEquals(1, found.size(), found.toString());
    return found.getFirst();
  }

  /** Returns the position of an 8-byte number that occurs once. */
  int only(long wanted) {
    return only(
        ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN).putLong(wanted).array());
  }

  /** Returns all positions of a text. */
  List<Integer> all(String text) {
    return all(text.getBytes(StandardCharsets.ISO_8859_1));
  }

  /** Returns all positions of a byte sequence. */
  List<Integer> all(byte... wanted) {
    List<Integer> found = new ArrayList<>();
    for (int at = 0; at + wanted.length <= bytes.capacity(); at++) {
      if (bytes.slice(at, wanted.length).equals(ByteBuffer.wrap(wanted))) {
        found.add(at);
      }
    }
    return found;
  }

  long u64(int at) {
    return bytes.getLong(at);
  }

  int u8(int at) {
    return bytes.get(at) & 0xff;
  }

  int u16(int at) {
    return bytes.getShort(at) & 0xffff;
  }

  CraftedFile u64(int at, long value) {
    return put(at, Long.BYTES, value);
  }

  /** Stores a little-endian number of {@code width} bytes. */
  CraftedFile put(int at, int width, long value) {
    for (int i = 0; i < width; i++) {
      bytes.put(at + i, (byte) (value >> 8 * i));
      changed.add(at + i);
    }
    return this;
  }

  /**
   * Replaces the last object of a global heap collection with an object that may have another size.
   * The rest of the collection becomes free space.
   *
   * @param at the position of the first byte of the object
   */
  CraftedFile replaceLastHeapObject(int at, byte[] object) {
    int collection = heapCollection(at);
    int end = collection + (int) u64(collection + 8);
    u64(at - 8, object.length);
    for (int i = at; i < end; i++) {
      put(i, 1, i - at < object.length ? object[i - at] : 0);
    }
    int free = at + Math.ceilDiv(object.length, 8) * 8;
    return free < end ? u64(free + 8, end - free) : this;
  }

  /** Returns the address of the global heap collection that contains an object. */
  int heapCollection(int object) {
    int at = object;
    while (!new String(bytes.array(), at, 4, StandardCharsets.ISO_8859_1).equals("GCOL")) {
      at--;
    }
    return at;
  }

  /** Stores the changed file with correct checksums. */
  Path store() {
    changed.forEach(at -> blocks.mend(bytes.array(), at));
    try {
      return Files.write(path, bytes.array());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Asserts that a call fails with a {@link FormatException}, and returns the exception. */
  static FormatException refused(Executable call, String text) {
    Throwable e = assertThrows(RuntimeException.class, call);
    if (e instanceof CollectiveException && e.getCause() != null) {
      e = e.getCause();
    }
    FormatException reason = assertInstanceOf(FormatException.class, e);
    assertTrue(reason.getMessage().contains(text), reason.getMessage());
    return reason;
  }
}
