package io.skerry.format.header;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.datatype.Datatype;
import io.skerry.format.Bytes;
import io.skerry.format.alloc.SpaceAllocator;
import io.skerry.format.block.MemoryFile;
import io.skerry.format.block.Widths;
import io.skerry.format.layout.ContiguousLayout;
import io.skerry.format.layout.LayoutMessage;
import io.skerry.format.message.Message;
import io.skerry.format.message.UnknownMessage;
import io.skerry.format.message.dataset.DataspaceMessage;
import io.skerry.format.message.dataset.DatatypeMessage;
import io.skerry.selection.Shape;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EarlyContiguousSizeTest {
  private static Message layout(int version, long... dimensions) {
    ByteWriter out = ByteWriter.create().u8(version).u8(dimensions.length).u8(1).zeros(5).u64(4096);
    for (long size : dimensions) {
      out.u32(size & 0xffffffffL);
    }
    out.zeros(Math.floorMod(-out.position(), 8));
    return new UnknownMessage(LayoutMessage.TYPE, Bytes.of(out.written()));
  }

  private static ContiguousLayout read(Message... messages) {
    List<HeaderMessage> entries = Stream.of(messages).map(HeaderMessage::of).toList();
    SpaceAllocator allocator = SpaceAllocator.startingAt(0);
    ObjectHeaderWriter writer = new ObjectHeaderWriter(HeaderPrefix.earliest(1), Widths.EIGHT);
    HeaderPlacement place = writer.reserve(entries, 0, allocator);
    MemoryFile file = MemoryFile.empty();
    writer.write(entries, place, allocator).blocks().forEach(file::write);
    return ObjectHeader.read(file, Widths.EIGHT, place.first().address())
        .require(ContiguousLayout.class);
  }

  @ParameterizedTest
  @CsvSource({"1,4294967298", "2,4294967298", "1,17", "2,0"})
  void the_size_follows_from_the_extent_and_not_from_its_low_32_bits(int version, long elements) {
    ContiguousLayout read =
        read(
            DataspaceMessage.of(Shape.of(elements, 3)),
            DatatypeMessage.of(Datatype.I32),
            layout(version, elements, 3, 4));
    assertEquals(new ContiguousLayout(4096, elements * 12), read);
  }

  @ParameterizedTest
  @CsvSource({"1", "2"})
  void a_layout_without_a_dataspace_keeps_the_size_of_its_dimensions(int version) {
    assertEquals(new ContiguousLayout(4096, 84), read(layout(version, 7, 3, 4)));
  }
}
