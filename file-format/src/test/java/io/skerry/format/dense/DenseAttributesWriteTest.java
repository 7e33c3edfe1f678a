package io.skerry.format.dense;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.datatype.Endian;
import io.skerry.datatype.FixedPoint;
import io.skerry.datatype.Signedness;
import io.skerry.format.Bytes;
import io.skerry.format.Interpreter;
import io.skerry.format.alloc.SpaceAllocator;
import io.skerry.format.block.MemoryFile;
import io.skerry.format.block.Widths;
import io.skerry.format.message.dataset.AttributeInfoMessage;
import io.skerry.format.message.dataset.AttributeMessage;
import io.skerry.format.message.dataset.DataspaceMessage;
import io.skerry.format.message.dataset.DatatypeMessage;
import io.skerry.format.message.group.GroupInfoMessage;
import io.skerry.format.message.group.LinkInfoMessage;
import io.skerry.format.superblock.TestFile;
import io.skerry.selection.Shape;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Writes dense attributes, changes them with both HDF5 libraries, and reads them again. */
class DenseAttributesWriteTest extends DenseFiles {
  private static int length(int i) {
    return i % 50 == 7 ? 70000 + i : i % 11 == 3 ? 3000 + i : 1 + i % 200;
  }

  private static AttributeMessage attribute(int i, int seed) {
    byte[] data = new byte[length(i)];
    for (int k = 0; k < data.length; k++) {
      data[k] = (byte) (k * 3 + i + seed);
    }
    return AttributeMessage.of(
        "attr %05d".formatted(i),
        DatatypeMessage.of(FixedPoint.of(1, Signedness.UNSIGNED, Endian.LITTLE)),
        DataspaceMessage.of(Shape.of(data.length)),
        Bytes.of(MemorySegment.ofArray(data)));
  }

  private static final String CHECK_ATTRIBUTES =
      """
      import sys, h5py, numpy as np
      def length(i): return 70000 + i if i % 50 == 7 else 3000 + i if i % 11 == 3 else 1 + i % 200
      def value(i, seed): return ((np.arange(length(i)) * 3 + i + seed) % 256).astype('u1')
      def check(f, numbers, seed):
          assert set(f.attrs.keys()) == set('attr %05d' % i for i in numbers)
          for i in numbers:
              assert np.array_equal(f.attrs['attr %05d' % i], value(i, seed(i))), i
      """;

  @ParameterizedTest
  @CsvSource({"0, 1, INDEXED", "1, 20, TRACKED", "1, 400, INDEXED", "0, 1500, UNTRACKED"})
  void attributes_are_read_and_changed_by_both_libraries_and_read_again(
      int number, int count, Order order) throws IOException {
    for (Interpreter python : Interpreter.inTurn(number)) {
      DenseAttributesEditor editor =
          DenseAttributesEditor.create(Widths.EIGHT, order.attributes(), allocator);
      for (int i = 0; i < count; i++) {
        editor.add(attribute(i, 0));
      }
      for (int i = 0; i < count; i += 7) {
        editor.replace(attribute(i, 5));
      }
      assertEquals(count, editor.size());
      var made = editor.commit();
      write(made.images());
      Path path =
          save(
              header(
                  order.ofAttributes,
                  List.of(LinkInfoMessage.compact(), GroupInfoMessage.defaults(), made.info())));
      python.run(
          directory,
          CHECK_ATTRIBUTES
              + """
              n = int(sys.argv[2])
              with h5py.File(sys.argv[1], 'r') as f: check(f, range(n), lambda i: 0 if i % 7 else 5)
              with h5py.File(sys.argv[1], 'r+', libver='latest') as f:
                  for i in range(n, n + 100): f.attrs['attr %05d' % i] = value(i, 5)
                  for i in range(0, n + 100, 3): del f.attrs['attr %05d' % i]
                  for i in range(1, n + 100, 3): f.attrs.modify('attr %05d' % i, value(i, 9))
              s = lambda i: 9 if i % 3 == 1 else 5 if i >= n or i % 7 == 0 else 0
              with h5py.File(sys.argv[1], 'r') as f:
                  check(f, [i for i in range(n + 100) if i % 3], s)
              """,
          path,
          count);
      dump(path);
      again(path, number, count);
    }
  }

  private void again(Path path, int number, int count) throws IOException {
    MemoryFile raw = MemoryFile.load(path);
    TestFile before = TestFile.open(raw);
    SpaceAllocator space = SpaceAllocator.startingAt(before.superblock().endOfFile());
    AttributeInfoMessage info = before.root().require(AttributeInfoMessage.class);
    DenseAttributesEditor editor =
        DenseAttributesEditor.open(raw, Widths.EIGHT, info, SharedAttributeHeap.none(), space);
    int left = 0;
    for (int i = 0; i < count + 100; i++) {
      assertEquals(i % 3 != 0, editor.find("attr %05d".formatted(i)).isPresent());
      if (i % 3 == 1) {
        assertTrue(editor.remove("attr %05d".formatted(i)));
      }
      left += i % 3 == 2 ? 1 : 0;
    }
    assertFalse(editor.remove("attr"));
    editor.add(attribute(count + 100, 1));
    var commit = editor.commit();
    commit.images().forEach(raw::write);
    replaceInfo(raw, before, before.root(), info, commit.info(), space);
    raw.save(path);
    TestFile after = TestFile.open(path);
    DenseAttributes read =
        DenseAttributes.open(
            after.source(),
            Widths.EIGHT,
            after.root().require(AttributeInfoMessage.class),
            SharedAttributeHeap.none());
    assertEquals(left + 1, read.size());
    assertEquals(left + 1, read.all().size());
    read.inCreationOrder().ifPresent(all -> assertEquals(read.size(), all.size()));
    disjoint(read.blocks(), after.source().size());
    for (Interpreter python : Interpreter.inTurn(number + 1)) {
      python.run(
          directory,
          CHECK_ATTRIBUTES
              + """
              n = int(sys.argv[2])
              s = lambda i: 1 if i == n + 100 else 5 if i >= n or i % 7 == 0 else 0
              with h5py.File(sys.argv[1], 'r') as f:
                  check(f, [i for i in range(n + 100) if i % 3 == 2] + [n + 100], s)
              """,
          path,
          count);
    }
  }

  @Test
  void creation_order_beyond_the_limit_of_the_format_is_refused() {
    DenseAttributesEditor tracked =
        DenseAttributesEditor.create(Widths.EIGHT, Order.INDEXED.attributes(), allocator);
    tracked.add(attribute(1, 0), 65534);
    assertThrows(IllegalArgumentException.class, () -> tracked.add(attribute(2, 0)));
    assertThrows(IllegalArgumentException.class, () -> tracked.add(attribute(1, 0), 7));
    DenseAttributesEditor untracked =
        DenseAttributesEditor.create(Widths.EIGHT, Order.UNTRACKED.attributes(), allocator);
    assertThrows(IllegalArgumentException.class, () -> untracked.add(attribute(2, 0), 7));
  }
}
