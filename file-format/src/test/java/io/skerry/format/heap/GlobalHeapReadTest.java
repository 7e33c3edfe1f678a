package io.skerry.format.heap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.exception.FormatException;
import io.skerry.format.Interpreter;
import io.skerry.format.block.MemoryFile;
import io.skerry.format.block.Widths;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reads collections of the global heap: those of the HDF5 library, and damaged ones. */
class GlobalHeapReadTest {
  @TempDir Path directory;

  @Test
  void variable_length_strings_are_read() throws IOException {
    assumeFalse(Interpreter.all().isEmpty(), "no Python with h5py");
    Path path = directory.resolve("vl.h5");
    for (Interpreter python : Interpreter.all()) {
      python.run(
          directory,
          """
          import sys, h5py
          f = h5py.File(sys.argv[1], 'w')
          f.create_dataset('d', data=['s' * (i * i % 10007) + str(i) for i in range(3000)],
                           dtype=h5py.string_dtype())
          """,
          path);
      check(MemoryFile.load(path), path);
    }
  }

  /** Gets the address of the dataset from h5py, since its object header is of the old version. */
  private void check(MemoryFile file, Path path) throws IOException {
    long address =
        Long.parseLong(
            Interpreter.all()
                .get(0)
                .run(
                    directory,
                    "import sys, h5py\nprint(h5py.File(sys.argv[1], 'r')['d'].id.get_offset())",
                    path)
                .strip());
    GlobalHeap heap = GlobalHeap.open(file, Widths.EIGHT);
    ByteReader in = ByteReader.of(file.read(address, 3000 * 16), "references");
    for (int i = 0; i < 3000; i++) {
      long length = in.u32();
      MemorySegment object = heap.object(in.i64(), (int) in.u32());
      assertEquals(length, object.byteSize());
      String text = ByteReader.of(object, "text").text(length);
      assertEquals("s".repeat((int) ((long) i * i % 10007)) + i, text);
    }
  }

  private static ByteWriter collection(long size) {
    return ByteWriter.create().text("GCOL").u8(1).zeros(3).u64(size);
  }

  @Test
  void the_golden_collection_is_read() {
    ByteWriter out = collection(4096);
    out.u16(1).u16(1).u32(0).u64(5).text("hello").zeros(3);
    out.u16(7).u16(2).u32(0).u64(0);
    out.u16(3).u16(1).u32(0).u64(8).text("12345678");
    out.u16(0).zeros(6).u64(4096 - out.position() + 8).zeros(4096 - out.position());
    MemoryFile file = MemoryFile.of(out.toArray());
    GlobalHeap heap = GlobalHeap.open(file, Widths.EIGHT);
    assertEquals("hello", ByteReader.of(heap.object(0, 1), "").text(5));
    assertEquals(0, heap.object(0, 7).byteSize());
    assertEquals("12345678", ByteReader.of(heap.object(0, 3), "").text(8));
    assertEquals(4096, heap.block(0).length());
    FormatException e = assertThrows(FormatException.class, () -> heap.object(0, 2));
    assertEquals("index 2", e.actual());
    assertEquals(0, e.address().orElseThrow());
  }

  @Test
  void a_collection_longer_than_the_file_is_refused() {
    MemoryFile file = MemoryFile.of(collection(Long.MAX_VALUE).zeros(100).toArray());
    GlobalHeap heap = GlobalHeap.open(file, Widths.EIGHT);
    FormatException e = assertThrows(FormatException.class, () -> heap.object(0, 1));
    assertTrue(e.what().contains("size"), e.getMessage());
  }

  @Test
  void an_object_longer_than_its_collection_is_refused() {
    MemoryFile file =
        MemoryFile.of(collection(64).u16(1).u16(1).u32(0).u64(49).zeros(48).toArray());
    GlobalHeap heap = GlobalHeap.open(file, Widths.EIGHT);
    FormatException e = assertThrows(FormatException.class, () -> heap.object(0, 1));
    assertEquals("49", e.expected());
    assertEquals("32", e.actual());
  }

  @Test
  void free_space_shorter_than_its_prefix_does_not_loop() {
    MemoryFile file = MemoryFile.of(collection(64).zeros(64).toArray());
    GlobalHeap heap = GlobalHeap.open(file, Widths.EIGHT);
    FormatException e = assertThrows(FormatException.class, () -> heap.object(0, 1));
    assertTrue(e.what().contains("free space"), e.getMessage());
  }
}
