package io.skerry.format.heap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.datatype.CharacterSet;
import io.skerry.datatype.VariableLength;
import io.skerry.format.Bytes;
import io.skerry.format.Interpreter;
import io.skerry.format.alloc.SpaceAllocator;
import io.skerry.format.block.BlockImage;
import io.skerry.format.block.MemoryFile;
import io.skerry.format.block.Widths;
import io.skerry.format.header.HeaderMessage;
import io.skerry.format.header.HeaderPlacement;
import io.skerry.format.header.HeaderPrefix;
import io.skerry.format.header.ObjectHeaderWriter;
import io.skerry.format.heap.GlobalHeapWriter.Reference;
import io.skerry.format.layout.ContiguousLayout;
import io.skerry.format.message.Message;
import io.skerry.format.message.dataset.DataspaceMessage;
import io.skerry.format.message.dataset.DatatypeMessage;
import io.skerry.format.message.dataset.FillValueMessage;
import io.skerry.format.message.group.GroupInfoMessage;
import io.skerry.format.message.group.LinkInfoMessage;
import io.skerry.format.message.group.LinkMessage;
import io.skerry.format.message.group.LinkTarget;
import io.skerry.format.superblock.Superblock;
import io.skerry.selection.Shape;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Writes collections of the global heap. */
class GlobalHeapWriteTest {
  @TempDir Path directory;

  private final MemoryFile file = MemoryFile.empty();
  private final SpaceAllocator allocator = SpaceAllocator.startingAt(48);

  @ParameterizedTest
  @ValueSource(ints = {4, 8})
  void random_sequences_are_read_back(int width) {
    Widths widths = new Widths(width, width);
    GlobalHeapWriter writer = GlobalHeapWriter.create(widths, allocator);
    Random random = new Random(width);
    List<Bytes> objects = new ArrayList<>();
    List<Reference> references = new ArrayList<>();
    for (int i = 0; i < 4000; i++) {
      byte[] bytes = new byte[random.nextInt(10) == 0 ? random.nextInt(9000) : random.nextInt(60)];
      random.nextBytes(bytes);
      objects.add(Bytes.of(MemorySegment.ofArray(bytes)));
      references.add(writer.add(MemorySegment.ofArray(bytes)));
      if (i % 1000 == 0) {
        writer.commit().forEach(file::write);
      }
    }
    List<BlockImage> last = writer.commit();
    last.forEach(file::write);
    assertEquals(0, writer.commit().size());
    GlobalHeap heap = GlobalHeap.open(file, widths);
    for (int i = 0; i < objects.size(); i++) {
      Reference at = references.get(i);
      assertEquals(objects.get(i), Bytes.of(heap.object(at.collection(), at.index())));
    }
    assertEquals(allocator.endOfFile(), file.size());
  }

  @Test
  void the_bytes_of_a_collection_are_golden() {
    GlobalHeapWriter writer = GlobalHeapWriter.create(Widths.EIGHT, allocator);
    assertEquals(new Reference(48, 1), writer.add(MemorySegment.ofArray("hello".getBytes())));
    assertEquals(new Reference(48, 2), writer.add(MemorySegment.ofArray("12345678".getBytes())));
    ByteReader in = ByteReader.of(writer.commit().get(0).bytes(), "collection");
    assertEquals(
        "47434f4c"
            + "01"
            + "000000"
            + "0010000000000000"
            + "0100"
            + "0100"
            + "00000000"
            + "0500000000000000"
            + "68656c6c6f000000"
            + "0200"
            + "0100"
            + "00000000"
            + "0800000000000000"
            + "3132333435363738"
            + "0000"
            + "0000"
            + "00000000"
            + "c00f000000000000",
        Bytes.of(in.slice(80)).toString());
    assertEquals(4096 - 80, in.remaining());
  }

  @Test
  void variable_length_strings_are_read_and_changed_by_both_libraries() throws IOException {
    assumeFalse(Interpreter.all().isEmpty(), "no Python with h5py");
    GlobalHeapWriter writer = GlobalHeapWriter.create(Widths.EIGHT, allocator);
    ByteWriter elements = ByteWriter.create();
    for (int i = 0; i < 3000; i++) {
      MemorySegment text =
          MemorySegment.ofArray("s".repeat(i % 100 == 0 ? i * 3 : i % 40).getBytes());
      Reference at = writer.add(text);
      elements.u32(text.byteSize()).u64(at.collection()).u32(at.index());
    }
    writer.commit().forEach(file::write);
    long data = allocator.allocate(elements.position());
    file.write(data, elements.written());
    long dataset =
        header(
            DataspaceMessage.of(Shape.of(3000)),
            DatatypeMessage.of(VariableLength.string(CharacterSet.UTF8)),
            new FillValueMessage(
                FillValueMessage.Allocation.LATE,
                FillValueMessage.Writing.IF_SET,
                FillValueMessage.State.DEFAULT,
                Bytes.EMPTY),
            new ContiguousLayout(data, elements.position()));
    long root =
        header(
            LinkInfoMessage.compact(),
            GroupInfoMessage.defaults(),
            LinkMessage.of("d", new LinkTarget.Hard(dataset)));
    ByteWriter out = ByteWriter.create();
    Superblock.of(allocator.endOfFile(), root).encode(out);
    file.write(0, out.written());
    file.grow(allocator.endOfFile());
    Path path = directory.resolve("vl.h5");
    for (Interpreter python : Interpreter.all()) {
      file.save(path);
      python.run(
          directory,
          """
          import sys, h5py
          want = [b's' * (i * 3 if i % 100 == 0 else i % 40) for i in range(3000)]
          with h5py.File(sys.argv[1], 'r') as f: assert list(f['d'][...]) == want
          with h5py.File(sys.argv[1], 'r+') as f:
              f['d'][5:50] = 'changed'
              f['d'][100] = 'changed'
          want[5:50] = [b'changed'] * 45
          want[100] = b'changed'
          with h5py.File(sys.argv[1], 'r') as f: assert list(f['d'][...]) == want
          """,
          path);
      GlobalHeap heap = GlobalHeap.open(MemoryFile.load(path), Widths.EIGHT);
      ByteReader in = ByteReader.of(MemoryFile.load(path).read(data, 3000 * 16), "elements");
      for (int i = 0; i < 3000; i++) {
        long length = in.u32();
        long collection = in.i64();
        int index = (int) in.u32();
        if (i == 7 || i == 100) {
          MemorySegment object = heap.object(collection, index);
          assertEquals("changed", ByteReader.of(object, "text").text(length));
        }
      }
    }
  }

  private long header(Message... messages) {
    ObjectHeaderWriter writer = new ObjectHeaderWriter(HeaderPrefix.plain(), Widths.EIGHT);
    List<HeaderMessage> entries = List.of(messages).stream().map(HeaderMessage::of).toList();
    HeaderPlacement place = writer.reserve(entries, 0, allocator);
    writer.write(entries, place, allocator).blocks().forEach(file::write);
    return place.first().address();
  }
}
