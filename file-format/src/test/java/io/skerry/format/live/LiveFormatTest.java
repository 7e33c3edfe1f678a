package io.skerry.format.live;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.exception.FormatException;
import io.skerry.format.block.Block;
import io.skerry.format.block.Checksums;
import io.skerry.format.live.LiveSlot.FileStamp;
import io.skerry.format.live.LiveSlot.Record;
import io.skerry.format.live.LiveSlot.State;
import io.skerry.format.live.LiveSlot.SuperblockPrint;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The bytes of slots and saved blocks of a live file, intact and damaged. */
class LiveFormatTest {
  private static final LiveSlot SLOT =
      new LiveSlot(
          State.WRITING,
          7,
          0x0102030405060708L,
          3,
          2,
          new SuperblockPrint(512, 48, 0x1122334455667788L),
          new FileStamp(0x21, 0x22),
          List.of(new Record(3, 8192, 200), new Record(4, 8392, 64)));

  private static MemorySegment bytes(String text) {
    return MemorySegment.ofArray(text.getBytes(StandardCharsets.US_ASCII));
  }

  private static MemorySegment head(LiveSlot first, LiveSlot second) {
    return ByteWriter.create().bytes(first.encode()).bytes(second.encode()).written();
  }

  private static LiveSlot slot(
      long sequence, long newest, long oldest, SuperblockPrint print, List<Record> records) {
    return SLOT.with(sequence, newest, oldest, print, records);
  }

  private static LiveSlot withSequence(long sequence) {
    return SLOT.with(sequence, SLOT.newest(), SLOT.oldest(), SLOT.superblock(), SLOT.records());
  }

  @Test
  void a_slot_has_the_documented_bytes() {
    String fields =
        "534b52594c495645" // signature
            + "0100000000000000" // version, state
            + "0700000000000000" // sequence
            + "0807060504030201" // writer
            + "0300000000000000" // newest
            + "0200000000000000" // oldest
            + "0002000000000000" // position of the superblock
            + "3000000002000000" // its length, number of records
            + "8877665544332211" // its fingerprint
            + "21000000000000002200000000000000" // size and time of the closed file
            + "030000000000000000200000000000" // first record
            + "00c800000000000000"
            + "0400000000000000c8200000000000004000000000000000";
    byte[] slot = SLOT.encode().toArray(ValueLayout.JAVA_BYTE);
    assertEquals(LiveSlot.BYTES, slot.length);
    assertEquals(fields, HexFormat.of().formatHex(slot, 0, 136));
    long print = Checksums.fingerprint(SLOT.encode().asSlice(0, 136));
    assertEquals(
        HexFormat.of().toHexDigits(Long.reverseBytes(print)),
        HexFormat.of().formatHex(slot, 136, 144));
  }

  @Test
  void the_complete_slot_with_the_higher_sequence_number_is_valid() {
    var older = withSequence(8);
    var newer = withSequence(9);
    assertEquals(Optional.of(newer), LiveSlot.newest(head(newer, older)));
    assertEquals(Optional.of(newer), LiveSlot.newest(head(older, newer)));
    assertEquals(1, LiveSlot.freePlace(head(newer, older)));
    assertEquals(0, LiveSlot.freePlace(head(older, newer)));
    for (int written = 0; written < 144; written++) {
      // A new slot that is written only in part leaves the rest of the slot before it.
      var torn = head(older, newer);
      var before = withSequence(7).encode();
      MemorySegment.copy(before, written, torn, LiveSlot.BYTES + written, LiveSlot.BYTES - written);
      assertEquals(Optional.of(older), LiveSlot.newest(torn));
      assertEquals(1, LiveSlot.freePlace(torn));
    }
  }

  @Test
  void a_slot_with_any_changed_byte_is_not_valid() {
    for (int at = 0; at < 144; at++) {
      var slot = SLOT.encode();
      slot.set(ValueLayout.JAVA_BYTE, at, (byte) (slot.get(ValueLayout.JAVA_BYTE, at) ^ 0x10));
      assertEquals(Optional.empty(), LiveSlot.decode(slot), "at=" + at);
    }
    assertEquals(Optional.of(SLOT), LiveSlot.decode(SLOT.encode()));
    assertEquals(
        Optional.empty(), LiveSlot.newest(MemorySegment.ofArray(new byte[(int) LiveSlot.HEAD])));
  }

  @Test
  void a_slot_that_contradicts_itself_is_refused() {
    var records = SLOT.records();
    var print = SLOT.superblock();
    for (LiveSlot bad :
        List.of(
            slot(0, 3, 2, print, records),
            slot(1, 2, 3, print, records),
            slot(1, 3, -1, print, records),
            slot(1, 3, 2, new SuperblockPrint(-1, 48, 0), records),
            slot(1, 3, 2, new SuperblockPrint(0, 5000, 0), records),
            slot(1, Long.MAX_VALUE, 2, print, List.of()),
            slot(1, 3, 2, print, List.of(new Record(Long.MAX_VALUE, 8192, 8))),
            slot(1, 3, 2, print, List.of(new Record(0, 8192, 8))),
            slot(1, 3, 2, print, List.of(new Record(3, 8191, 8))),
            slot(1, 3, 2, print, List.of(new Record(3, 8192, -1))),
            slot(1, 3, 2, print, List.of(new Record(3, Long.MAX_VALUE, 8))))) {
      assertThrows(FormatException.class, () -> LiveSlot.decode(bad.encode()), bad.toString());
    }
    var many = IntStream.range(0, 129).mapToObj(_ -> new Record(3, 8192, 8)).toList();
    var full = slot(1, 3, 2, print, many.subList(0, 128));
    assertEquals(Optional.of(full), LiveSlot.decode(full.encode()));
    assertThrows(IllegalArgumentException.class, () -> slot(1, 3, 2, print, many).encode());
  }

  @Test
  void saved_blocks_have_the_documented_bytes() {
    var part =
        SavedBlocks.encode(
            5,
            List.of(
                new SavedBlocks.Content(4096, bytes("header")),
                new SavedBlocks.Content(0, bytes("superblock"))));
    String fields =
        "534b525953415645" // signature
            + "0500000000000000" // epoch
            + "6800000000000000" // length
            + "0200000000000000" // blocks
            + "00000000000000000a00000000000000" // first block
            + HexFormat.of()
                .toHexDigits(Long.reverseBytes(Checksums.fingerprint(bytes("superblock"))))
            + "00100000000000000600000000000000" // second block
            + HexFormat.of().toHexDigits(Long.reverseBytes(Checksums.fingerprint(bytes("header"))));
    byte[] all = part.toArray(ValueLayout.JAVA_BYTE);
    assertEquals(104, all.length);
    assertEquals(fields, HexFormat.of().formatHex(all, 0, 80));
    assertEquals("7375706572626c6f636b686561646572", HexFormat.of().formatHex(all, 88, 104));
    assertEquals(88, SavedBlocks.tableEnd(part.asSlice(0, SavedBlocks.HEAD)));
    assertEquals(
        new SavedBlocks(
            5,
            104,
            List.of(
                new SavedBlocks.Saved(
                    new Block(0, 10), Checksums.fingerprint(bytes("superblock")), 88),
                new SavedBlocks.Saved(
                    new Block(4096, 6), Checksums.fingerprint(bytes("header")), 98))),
        SavedBlocks.decode(part.asSlice(0, 88)));
  }

  @Test
  void a_part_with_any_changed_byte_in_its_table_is_refused() {
    var part = SavedBlocks.encode(5, List.of(new SavedBlocks.Content(4096, bytes("header"))));
    int end = (int) SavedBlocks.tableEnd(part.asSlice(0, SavedBlocks.HEAD));
    for (int at = 0; at < end; at++) {
      for (int bit = 0; bit < 8; bit++) {
        var changed = MemorySegment.ofArray(part.asSlice(0, end).toArray(ValueLayout.JAVA_BYTE));
        changed.set(
            ValueLayout.JAVA_BYTE, at, (byte) (part.get(ValueLayout.JAVA_BYTE, at) ^ 1 << bit));
        assertThrows(FormatException.class, () -> SavedBlocks.decode(changed), "at=" + at);
      }
    }
    assertThrows(FormatException.class, () -> SavedBlocks.decode(part.asSlice(0, end - 1)));
  }

  @Test
  void no_saved_blocks_are_a_part_of_their_own() {
    var part = SavedBlocks.encode(9, List.of());
    assertEquals(new SavedBlocks(9, 40, List.of()), SavedBlocks.decode(part));
  }
}
