package io.skerry.format.header;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.datatype.Compound;
import io.skerry.datatype.Datatype;
import io.skerry.exception.FormatException;
import io.skerry.format.block.MemoryFile;
import io.skerry.format.block.Widths;
import io.skerry.format.message.SharedMessageResolver;
import io.skerry.format.message.dataset.DatatypeMessage;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tests headers in which many messages refer to one shared message. */
class RepeatedSharedMessagesTest {
  private static final int MESSAGES = 1000;

  private int reads;

  @Test
  void a_message_to_which_many_refer_is_read_once() {
    ObjectHeader header = header(Datatype.I64);
    assertEquals(MESSAGES, header.all(DatatypeMessage.class).size());
    assertEquals(1, reads);
  }

  @Test
  void large_messages_to_which_many_refer_are_refused() {
    List<Compound.Member> members =
        IntStream.range(0, 500)
            .mapToObj(i -> new Compound.Member("m" + i, i, Datatype.I8))
            .toList();
    ObjectHeader header = header(new Compound(500, members));
    FormatException e =
        assertThrows(FormatException.class, () -> header.all(DatatypeMessage.class));
    assertTrue(e.getMessage().contains("bytes of shared messages of an object"), e.getMessage());
    assertEquals(1, reads);
  }

  /** Returns a header of version 1 whose messages all refer to one committed datatype. */
  private ObjectHeader header(Datatype type) {
    ByteWriter out = ByteWriter.create();
    out.u8(1).u8(0).u16(MESSAGES).u32(1).u32(MESSAGES * 24L).zeros(4);
    for (int i = 0; i < MESSAGES; i++) {
      out.u16(DatatypeMessage.TYPE).u16(16).u8(HeaderMessage.SHARED).zeros(3);
      out.u8(2).u8(2).u64(4096).zeros(6);
    }
    MemorySegment body = DatatypeMessage.of(type).body().segment();
    SharedMessageResolver resolver =
        (_, _) -> {
          reads++;
          return Optional.of(body);
        };
    MemoryFile file = MemoryFile.empty();
    file.write(0, out.written());
    return ObjectHeader.read(file, Widths.EIGHT, 0, resolver);
  }
}
