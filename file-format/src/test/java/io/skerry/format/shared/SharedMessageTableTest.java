package io.skerry.format.shared;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.exception.FormatException;
import io.skerry.format.Bytes;
import io.skerry.format.SharedData;
import io.skerry.format.block.MemoryFile;
import io.skerry.format.block.Widths;
import io.skerry.format.file.FormatFile;
import io.skerry.format.message.SharedTableMessage;
import io.skerry.format.message.dataset.AttributeMessage;
import io.skerry.format.message.dataset.DatatypeMessage;
import io.skerry.format.shared.SharedMessageTable.Form;
import io.skerry.format.shared.SharedMessageTable.Index;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SharedMessageTableTest {
  private static final Bytes ID =
      Bytes.of(MemorySegment.ofArray(new byte[] {0, 1, 2, 3, 4, 5, 6, 7}));

  @Test
  void tables_and_lists_are_read_back_and_every_flipped_bit_is_detected() {
    for (Widths widths : List.of(Widths.EIGHT, new Widths(4, 4))) {
      Index index = new Index(Form.LIST, 0x1008, 50, 20, 10, 2, 200, 900);
      SharedMessageTable table =
          new SharedMessageTable(
              List.of(index, new Index(Form.TREE, 0x0002, 1, 0, 0, 0, 300, 901)));
      SharedMessageList list =
          new SharedMessageList(
              List.of(
                  new SharedMessageRecord.InHeap(7, 3, ID),
                  new SharedMessageRecord.InHeader(-8, 12, 1, 77)));
      ByteWriter tableBytes = ByteWriter.create();
      table.encode(tableBytes, widths);
      assertEquals(SharedMessageTable.size(2, widths), tableBytes.position());
      ByteWriter listBytes = ByteWriter.create();
      list.encode(listBytes, widths, 20);
      assertEquals(8 + 20 * SharedMessageRecord.size(widths), listBytes.position());
      MemoryFile file = MemoryFile.empty();
      file.write(0, tableBytes.written());
      file.write(200, listBytes.written());
      SharedTableMessage message = new SharedTableMessage(0, 2);
      assertEquals(table, SharedMessageTable.read(file, widths, message));
      assertEquals(list, SharedMessageList.read(file, widths, index));
      assertEquals(Optional.of(index), table.index(AttributeMessage.TYPE));
      assertEquals(Optional.of(index), table.index(DatatypeMessage.TYPE));
      assertEquals(Optional.empty(), table.index(5));
      for (int bit = 0; bit < 8 * tableBytes.position(); bit++) {
        byte[] damaged = file.toArray();
        damaged[bit / 8] ^= (byte) (1 << bit % 8);
        assertThrows(
            FormatException.class,
            () -> SharedMessageTable.read(MemoryFile.of(damaged), widths, message));
      }
      int used = 8 + 2 * SharedMessageRecord.size(widths);
      for (int bit = 8 * 200; bit < 8 * (200 + used); bit++) {
        byte[] damaged = file.toArray();
        damaged[bit / 8] ^= (byte) (1 << bit % 8);
        assertThrows(
            FormatException.class,
            () -> SharedMessageList.read(MemoryFile.of(damaged), widths, index));
      }
    }
  }

  @Test
  void the_list_of_an_hdf5_file_is_read() {
    FormatFile file =
        FormatFile.open(
            MemoryFile.load(
                SharedData.file("hdf5-corpus/tools/test/h5dump/testfiles/err_attr_dspace.h5")));
    SharedMessageTable table = file.sharedTable().orElseThrow();
    int records = 0;
    for (Index index : table.indexes()) {
      if (index.form() == Form.LIST && index.indexAddress() >= 0) {
        SharedMessageList list = SharedMessageList.read(file.source(), file.widths(), index);
        assertEquals(index.messages(), list.records().size());
        records += list.records().size();
      }
    }
    assertTrue(records > 0);
  }
}
